/** SQL that temporarily grants the current role the rights of another role. */
export const ourId = '(select oid from pg_roles where rolname = current_user)'

/** The first version whose memberships have options (PostgreSQL 16 release notes, "Privileges"). */
const withOptions = 160_000

/**
 * SQL for the columns `borrow` and `giveBack`: statements that grant the current role the rights of another one, and
 * revoke them. Empty if the current role has these rights. An existing membership stays unchanged.
 *
 * @param owner SQL for the id of the role
 */
export function lending(version: number, owner: string, option: 'inherit' | 'set' = 'inherit'): string {
  const statement = (text: string) => `array[format('${text}', pg_get_userbyid(${owner}))]`
  const privilege = option === 'set' ? 'set' : 'usage'
  if (version < withOptions) {
    const lacks = `not pg_has_role(${owner}, 'member')`
    return `case when ${lacks} then ${statement('grant %I to current_user')} else '{}' end as borrow,
      case when ${lacks} then ${statement('revoke %I from current_user')} else '{}' end as "giveBack"`
  }
  const lacks = `not pg_has_role(${owner}, '${privilege}')`
  const isOwn = `exists (select from pg_auth_members where roleid = ${owner}
    and member = ${ourId} and grantor = ${ourId})`
  return `case when ${lacks} then ${statement(`grant %I to current_user with ${option} true`)} else '{}' end as borrow,
    case when not ${lacks} then '{}' when ${isOwn}
      then ${statement(`grant %I to current_user with ${option} false`)}
      else ${statement('revoke %I from current_user')} end as "giveBack"`
}
