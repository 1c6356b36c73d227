/** Renders the inputs and outputs of an action.yml. */
import { outputs } from '#action/outputs/output-table'
import { IncompleteReferenceError } from './generated-block.ts'
import { type Group, inputGroups, outputGroups } from './groups.ts'
import { type InputEntry, inputEntries } from './input-entries.ts'

/** A YAML scalar in single quotes (YAML 1.2 section 7.3.2). */
export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

function inputYaml(entry: InputEntry): string {
  const effective = entry.default ? ` Default: ${entry.default}.` : ''
  const lines = [
    `  ${entry.name}:`,
    `    description: ${quoted(entry.description + effective)}`,
    `    required: ${entry.required}`,
    ...(entry.runnerDefault ? [`    default: ${entry.runnerDefault}`] : []),
  ]
  return lines.join('\n')
}

/** The lines of a block, with the title of each group above its first one. */
function withTitles<Entry extends { name: string }>(
  groups: readonly Group[],
  entries: readonly Entry[],
  render: (entry: Entry) => string,
): string[] {
  return groups.flatMap(({ title, names }) => {
    const members = entries.filter(({ name }) => names.includes(name))
    return members.length === 0 ? [] : [`  # ${title}`, ...members.map(render)]
  })
}

/** The inputs block of an action.yml. Defaults live in the code: an empty input is an unset one. */
export function renderInputsYaml(entries = inputEntries()): string {
  return ['inputs:', ...withTitles(inputGroups, entries, inputYaml)].join('\n')
}

/**
 * The outputs block of an action.yml, of all or only some.
 * @throws IncompleteReferenceError if there is no output of a name
 */
export function renderOutputsYaml(names = Object.keys(outputs)): string {
  const entries = names.map(name => {
    const { about } = outputs[name] ?? {}
    if (about === undefined) throw new IncompleteReferenceError(`there is no output ${name}`)
    return { name, yaml: `  ${name}:\n    description: ${quoted(about)}` }
  })
  return ['outputs:', ...withTitles(outputGroups, entries, ({ yaml }) => yaml)].join('\n')
}
