import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { NewUser, type User, UserChange, userRoles } from '../contract/access.ts'
import { newPassword } from '../server/access/passwords.ts'
import { changeUser, createUser, listUsers } from '../server/access/users.ts'
import type { Db } from '../server/db/database.ts'
import { bodyReader } from '../server/http/requests.ts'
import { type Answer, type Given, type Group, Misuse, table } from './command.ts'
import { clientNamed, commandLine, withDatabase } from './open.ts'

const role = { value: 'ROLE', explain: `One of ${userRoles.join(', ')}.` }
const client = { value: 'CLIENT', many: true, explain: 'A client the user sees, by id or name.' }
const passwordFile = {
  value: 'FILE',
  explain: 'Read the password from a file, - for standard input. Without it one is made and told once.',
}

export const command: Group = {
  summary: 'People who log in. USER is an e-mail or an id.',
  actions: {
    list: {
      summary: 'List the users.',
      run: () =>
        withDatabase(async ({ db }) => {
          const users = await listUsers(db)
          return {
            lines: table([['USER', 'EMAIL', 'ROLE', 'ACTIVE', 'CLIENTS'], ...users.map(row)]),
            json: { users },
          }
        }),
    },
    add: {
      summary: 'Make a user.',
      options: {
        email: { value: 'EMAIL', explain: 'What the user logs in with.', needed: true },
        name: { value: 'NAME', explain: 'What the user is called. Default: the e-mail.' },
        role: { ...role, needed: true },
        client: {
          ...client,
          explain: `${client.explain} Without one, all; a user of the portal has exactly one.`,
        },
        'password-file': passwordFile,
      },
      run: (given) =>
        withDatabase(async ({ db }) => {
          const clientIds = await clientIdsOf(db, given)
          const password = await givenPassword(given)
          const input = readNew({
            email: given.needed('email'),
            name: given.text('name') ?? given.needed('email'),
            role: given.needed('role'),
            ...(clientIds.length > 0 && { clientIds }),
            ...(password !== undefined && { password }),
          })
          return told(await createUser(db, commandLine, input))
        }),
    },
    'set-password': {
      summary: 'Give a user a new password; whoever is logged in with the old one is logged out.',
      takes: ['USER'],
      options: { 'password-file': passwordFile },
      run: (given) =>
        withDatabase(async ({ db }) => {
          const password = await givenPassword(given)
          const made = password ?? newPassword()
          const user = await changeUser(
            db,
            commandLine,
            await userNamed(db, given.args[0]!),
            readChange({ password: made }),
          )
          return told(password === undefined ? { ...user, password: made } : user)
        }),
    },
    activate: {
      summary: 'Let a user log in.',
      takes: ['USER'],
      run: (given) => changed(given, async () => ({ isActive: true })),
    },
    deactivate: {
      summary: 'Keep a user out, from the next request on.',
      takes: ['USER'],
      run: (given) => changed(given, async () => ({ isActive: false })),
    },
    set: {
      summary: 'Change a user’s name, role or clients.',
      takes: ['USER'],
      options: {
        name: { value: 'NAME', explain: 'What the user is called.' },
        role,
        client,
        'all-clients': { explain: 'The user sees every client.' },
      },
      run: (given) =>
        changed(given, async (db) => {
          const clientIds = given.flag('all-clients') ? null : await clientIdsOf(db, given)
          const input = {
            ...(given.text('name') !== undefined && { name: given.text('name') }),
            ...(given.text('role') !== undefined && { role: given.text('role') }),
            ...((clientIds === null || clientIds.length > 0) && { clientIds }),
          }
          if (Object.keys(input).length === 0)
            throw new Misuse('user set needs --name, --role, --client or --all-clients.')
          return input
        }),
    },
  },
}

const readNew = bodyReader(NewUser)
const readChange = bodyReader(UserChange)

const changed = (given: Given, input: (db: Db) => Promise<object>): Promise<Answer> =>
  withDatabase(async ({ db }) =>
    told(await changeUser(db, commandLine, await userNamed(db, given.args[0]!), readChange(await input(db)))),
  )

function told(user: User & { password?: string }): Answer {
  const line = row(user).join('  ')
  return {
    lines: user.password ? [line, `password ${user.password}   (shown only now)`] : [line],
    json: user,
  }
}

const row = ({ userId, email, role: what, isActive, clientIds }: User): string[] => [
  userId,
  email,
  what,
  isActive ? 'yes' : 'no',
  clientIds === null ? 'all' : clientIds.join(' '),
]

async function userNamed(db: Db, text: string): Promise<string> {
  const users = await listUsers(db)
  const found = users.find(
    ({ userId, email }) => userId === text || email.toLowerCase() === text.toLowerCase(),
  )
  if (!found) throw new Misuse(`No user has the e-mail or id ${text}. See asset-library user list.`)
  return found.userId
}

export const clientIdsOf = (db: Db, given: Given): Promise<string[]> =>
  Promise.all(given.list('client').map((text) => clientNamed(db, text)))

/** Never as an argument: those can be seen by everybody on the machine. */
async function givenPassword(given: Given): Promise<string | undefined> {
  const file = given.text('password-file')
  if (file === undefined) return undefined
  const read = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch((error) => {
    throw new Misuse(`${file} cannot be read (${error.code}).`)
  })
  return read.replace(/\r?\n$/, '')
}
