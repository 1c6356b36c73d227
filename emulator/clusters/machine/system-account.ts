/** Chooses the system user for PostgreSQL. */
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { ClusterError } from '../errors.ts'

/** The user that PostgreSQL runs as, if it is not the user of this process. */
export interface SystemAccount {
  name: string
  uid: number
  gid: number
}

/** Unprivileged users that nearly every system has. On macOS the uid of the first one is negative, so the second is used. */
const candidates = ['nobody', 'daemon']

function parsePasswd(text: string): SystemAccount[] {
  return text.split('\n').flatMap(line => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}

/**
 * Chooses the user for PostgreSQL, which refuses to run as root (PostgreSQL docs, "The PostgreSQL User
 * Account"). Undefined unless this process runs as root: otherwise PostgreSQL runs as the same user. The user
 * must be in the passwd file, because initdb looks up its own name.
 */
export async function chooseAccount(): Promise<SystemAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8').catch(() => ''))
  for (const name of candidates) {
    const account = accounts.find(known => known.name === name && known.uid > 0 && known.gid > 0)
    if (account) return account
  }
  throw new ClusterError(
    `PostgreSQL refuses to run as root, and there is no user ${candidates.join(' or ')} to run it as: ` +
      'run the emulator as another user.',
  )
}

/** Whether the account may enter every folder on the path to `target` and, for a folder, the folder itself. */
export async function canReach(account: SystemAccount, target: string): Promise<boolean> {
  for (let folder = path.resolve(target); ; folder = path.dirname(folder)) {
    const { mode, uid, gid } = await stat(folder)
    // The permission to enter: of the owner, the group, or all others.
    let bit = 0o001
    if (uid === account.uid) bit = 0o100
    else if (gid === account.gid) bit = 0o010
    if ((mode & bit) === 0) return false
    if (folder === path.dirname(folder)) return true
  }
}
