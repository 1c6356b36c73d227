import { define, type Parsed, parseCount, parseTime } from './input-definition.ts'

/** GitHub's labels have at most 50 characters. */
function parseLabel(text: string): Parsed<string> {
  return [...text].length <= 50 && !/\p{Cc}/u.test(text)
    ? { value: text }
    : { expected: 'the name of a label, at most 50 characters in one line' }
}

/** Of prune-previews, and of preview where it prunes. */
export const pruningInputs = {
  max_age: define({
    description:
      'Prune also deletes previews older than this, even of open pull requests, like `72h`. Where a preview is made, its comment says when that will be.',
    parse: parseTime,
  }),
  pause_after: define({
    description:
      'Prune pauses a preview that is not used for so long, like `12h`: it is older, its pull request saw no push (nor anything else) for that long, and its database says that it was not started since and has no open session. Any doubt keeps it running. The next push, `create-preview` or `get-connection` starts it again.',
    parse: parseTime,
  }),
  keep_label: define({
    description:
      'While an open pull request has this label, prune neither deletes its preview for its age nor pauses it.',
    default: 'keep-preview',
    parse: parseLabel,
  }),
  min_age: define({
    description: 'Prune keeps what is younger than this.',
    default: '30m',
    parse: parseTime,
  }),
  max_deletions: define({
    description: 'How many previews prune deletes at most in one run.',
    default: '10',
    parse: text => parseCount(text, 99_999),
  }),
}
