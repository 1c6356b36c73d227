/** Answers GraphQL queries of the action like GitHub. */
import type { Answer } from './answer.ts'
import { parseQuery, type Selected } from './graphql-query.ts'
import { type CommentFacts, date, nodeId, type PullRequestFacts } from './records.ts'
import type { Grant } from './tokens.ts'
import type { World } from './world.ts'

interface GraphqlError {
  type?: string
  path: string[]
  message: string
}

type Value = null | boolean | number | string | Value[] | { [name: string]: Value }

/** GitHub refuses a field that it does not know, and answers nothing of the query. */
class UnknownFieldError extends Error {}

/** A field's value, for the arguments that it is given, which must be these. */
type Field = {
  takes: string[]
  read: (given: Record<string, unknown>, path: string[], selected: Selected[]) => Value
}
/** A type of GitHub's schema: https://docs.github.com/graphql/reference/objects */
type Type = Record<string, Field>

const plain = (value: Value): Field => ({ takes: [], read: () => value })

function select(name: string, type: Type, selection: Selected[], path: string[]): Value {
  return Object.fromEntries(
    selection.map(selected => {
      const field = type[selected.name]
      const place = [...path, selected.alias]
      if (field === undefined)
        throw new UnknownFieldError(`Field '${selected.name}' doesn't exist on type '${name}'`)
      if (Object.keys(selected.given).join() !== field.takes.join())
        throw new UnknownFieldError(
          `Field '${selected.name}' is given other arguments than ${field.takes.join()}`,
        )
      return [selected.alias, field.read(selected.given, place, selected.selection ?? [])]
    }),
  )
}

const object = (name: string, type: Type): Field => ({
  takes: [],
  read: (_, path, selected) => select(name, type, selected, path),
})

const webAddressOf = ({ addresses, repository }: World, { issue, id }: CommentFacts) =>
  `${addresses.web}/${repository.owner.login}/${repository.name}/pull/${issue}#issuecomment-${id}`

const commentType = (found: CommentFacts, grant: Grant, world: World): Type => ({
  id: plain(nodeId('IssueComment', found.id)),
  fullDatabaseId: plain(String(found.id)),
  viewerDidAuthor: plain(found.author.login === grant.account.login),
  url: plain(webAddressOf(world, found)),
  updatedAt: plain(found.updatedAt),
  body: plain(found.body),
})

/** The comments of a pull request: the first of them, or some of its timeline by their position. */
function commentLists(number: number, grant: Grant, world: World): Type {
  const all = world.comments.filter(({ issue }) => issue === number)
  const nodes = (some: CommentFacts[]): Field => ({
    takes: [],
    read: (_, path, selected) =>
      some.map(one => select('IssueComment', commentType(one, grant, world), selected, path)),
  })
  const size = (first: unknown) => {
    if (Number(first) > 100) throw new UnknownFieldError('Requesting more than 100 records')
    return Number(first)
  }
  return {
    comments: {
      takes: ['first'],
      read: ({ first }, path, selected) => {
        const type = { totalCount: plain(all.length), nodes: nodes(all.slice(0, size(first))) }
        return select('IssueCommentConnection', type, selected, path)
      },
    },
    timelineItems: {
      takes: ['first', 'skip', 'itemTypes'],
      read: ({ first, skip, itemTypes }, path, selected) => {
        if (String(itemTypes) !== 'ISSUE_COMMENT') throw new UnknownFieldError(`no items of ${itemTypes}`)
        const some = all.slice(Number(skip), Number(skip) + size(first))
        return select('PullRequestTimelineItemsConnection', { nodes: nodes(some) }, selected, path)
      },
    },
  }
}

function pullRequestType(found: PullRequestFacts, grant: Grant, world: World): Type {
  const labels = (found.labels ?? []).map(name => ({ name: plain(name) }))
  return {
    ...commentLists(found.number, grant, world),
    number: plain(found.number),
    state: plain(found.state.toUpperCase()),
    closedAt: plain(found.state === 'closed' ? date : null),
    updatedAt: plain(date),
    isDraft: plain(found.draft ?? false),
    repository: object('Repository', { databaseId: plain(found.base.id) }),
    labels: {
      takes: ['first'],
      read: ({ first }, path, selected) =>
        select(
          'LabelConnection',
          {
            totalCount: plain(labels.length),
            nodes: {
              takes: [],
              read: (_given, place, of) =>
                labels.slice(0, Number(first)).map(label => select('Label', label, of, place)),
            },
          },
          selected,
          path,
        ),
    },
  }
}

function queryType(grant: Grant, world: World, errors: GraphqlError[]): Type {
  const refuse = (type: string, path: string[], message: string): null => {
    errors.push({ type, path, message })
    return null
  }
  const { owner, name, id } = world.repository
  const inaccessible = 'Resource not accessible by integration'
  const repositoryType: Type = {
    databaseId: plain(id),
    pullRequests: {
      takes: ['first'],
      read: (_, path, selected) =>
        grant.access === 'none'
          ? refuse('FORBIDDEN', path, inaccessible)
          : select('PullRequestConnection', { totalCount: plain(world.pullRequests.size) }, selected, path),
    },
    pullRequest: {
      takes: ['number'],
      read({ number }, path, selected) {
        if (!Number.isInteger(number) || Number(number) >= 2 ** 31)
          throw new UnknownFieldError(
            `Argument 'number' on Field 'pullRequest' has an invalid value (${number}).`,
          )
        if (grant.access === 'none') return refuse('FORBIDDEN', path, inaccessible)
        const found = world.pullRequests.get(Number(number))
        return found
          ? select('PullRequest', pullRequestType(found, grant, world), selected, path)
          : refuse('NOT_FOUND', path, `Could not resolve to a PullRequest with the number of ${number}.`)
      },
    },
  }
  return {
    viewer: object('User', { login: plain(grant.account.login) }),
    nodes: {
      takes: ['ids'],
      read: ({ ids }, path, selected) => {
        if (!Array.isArray(ids) || ids.length > 100) throw new UnknownFieldError('Too many ids')
        const byId = new Map(world.comments.map(one => [nodeId('IssueComment', one.id), one]))
        return ids.map((id, index) => {
          const found = byId.get(id)
          return found && grant.seesRepository && grant.access !== 'none'
            ? select('IssueComment', commentType(found, grant, world), selected, path)
            : refuse('NOT_FOUND', [...path, String(index)], `Could not resolve to a node with the id '${id}'`)
        })
      },
    },
    repository: {
      takes: ['owner', 'name'],
      read: (given, path, selected) =>
        grant.seesRepository &&
        `${given.owner}/${given.name}`.toLowerCase() === `${owner.login}/${name}`.toLowerCase()
          ? select('Repository', repositoryType, selected, path)
          : refuse(
              'NOT_FOUND',
              path,
              `Could not resolve to a Repository with the name '${given.owner}/${given.name}'.`,
            ),
    },
  }
}

/** The answer to POST /graphql: it accepts only the queries of the action. */
export function answerGraphql(body: object, grant: Grant, world: World): Answer {
  const { query, variables = {} } = body as { query: string; variables?: Record<string, unknown> }
  const errors: GraphqlError[] = []
  try {
    const data = select('Query', queryType(grant, world, errors), parseQuery(query, variables), [])
    return { status: 200, body: { data, ...(errors.length > 0 && { errors }) } }
  } catch (failure) {
    return { status: 200, body: { errors: [{ message: (failure as Error).message }] } }
  }
}
