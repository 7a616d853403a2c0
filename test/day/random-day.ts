import type { Locator } from 'playwright-core'
import type { Dice } from '../dice.ts'
import { png } from '../pictures.ts'
import type { AtWork } from './screens.ts'

type Step = (who: AtWork, chance: Dice, n: number) => Promise<string>

/** What a person may do next, whatever was done before. Each says what it did. */
export const steps: Step[] = [
  async function renames(who, chance, n) {
    if (!(await chooses(who, chance))) return 'finds nothing to rename'
    await who.press('F2')
    const box = who.page.locator('.inline-edit')
    if (!(await box.count())) return 'may not rename it'
    await box.fill(`Named ${n}`)
    await who.press('Enter')
    return `names it “Named ${n}”`
  },
  async function trashes(who, chance) {
    if (!(await chooses(who, chance))) return 'finds nothing to delete'
    await who.press('Delete')
    const sure = who.page
      .getByRole('dialog')
      .getByRole('button', { name: /^(Move to trash|Delete for good)/ })
    if (await appears(sure)) await sure.click()
    return 'deletes it'
  },
  async function restores(who, chance) {
    await who.opens('Trash')
    await who.agrees()
    if (!(await chooses(who, chance, 'right'))) return 'finds nothing in the trash'
    await who.menuItem('Restore').click()
    await who.opens(null)
    return 'brings it back'
  },
  async function tagsAll(who, chance, n) {
    if (!(await chooses(who, chance))) return 'finds nothing to tag'
    await who.press('Control+a')
    const bar = who.page.getByRole('toolbar', { name: 'Selected items' })
    const tag = bar.getByRole('button', { name: 'Tag', exact: true })
    if (!(await appears(tag)) || (await tag.isDisabled())) return 'has nothing to tag'
    await tag.click()
    const dialog = who.page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Tags to add' }).fill(`Tag ${n}`)
    await who.press('Enter')
    await dialog.getByRole('button', { name: 'Add tags' }).click()
    await dialog.waitFor({ state: 'detached' })
    return `tags all of it “Tag ${n}”`
  },
  async function sorts(who, chance) {
    const by = chance.of(['Newest', 'Oldest', 'Name, A to Z'])
    await who.sorts(by)
    return `sorts by ${by}`
  },
  async function uploads(who, _chance, n) {
    if (inTrash(who)) return 'uploads nothing to the trash'
    const name = `Picture ${n}.png`
    await who.uploads([{ name, mimeType: 'image/png', buffer: png(20, 20, [n % 255, 30, 90]) }])
    await who.tray.getByText(name).first().waitFor()
    return `uploads “${name}”`
  },
  async function undoes(who) {
    await who.grid
      .or(who.page.getByRole('main'))
      .first()
      .click({ position: { x: 2, y: 2 } })
      .catch(() => {})
    await who.press('Control+z')
    return 'takes it back'
  },
  async function goesElsewhere(who, chance) {
    const folder = chance.of([null, 'Season', 'Archive', 'Trash'])
    if (folder && folder !== 'Trash' && !(await appears(who.inTree(folder)))) return `finds no ${folder}`
    await who.opens(folder)
    return `goes to ${folder ?? 'the top'}`
  },
  async function searches(who, chance) {
    const words = chance.of(['Named', 'Archive 0001', ''])
    await who.search.fill(words)
    await who.press('Enter')
    return `searches “${words}”`
  },
  async function makesFolder(who, _chance, n) {
    if (inTrash(who)) return 'makes no folder in the trash'
    await who.press('Escape', 'n')
    const box = who.page.getByRole('textbox', { name: 'Folder name' })
    if (!(await appears(box))) return 'may make no folder'
    await box.fill(`Folder ${n}`)
    await who.press('Enter')
    return `makes “Folder ${n}”`
  },
  async function isCutOff(who) {
    await who.page.context().setOffline(true)
    await who.page.getByText('offline', { exact: false }).first().waitFor()
    await who.page.context().setOffline(false)
    return 'loses the network and comes back'
  },
]

async function chooses(who: AtWork, chance: Dice, button: 'left' | 'right' = 'left'): Promise<boolean> {
  const cells = who.page.locator('.grid-row [data-id]')
  const count = Math.min(await cells.count(), 6)
  if (count === 0) return false
  await cells.nth(chance.below(count)).click({ button, position: { x: 20, y: 20 } })
  return true
}

const inTrash = (who: AtWork) => new URL(who.page.url()).searchParams.get('folder') === 'trash'

const appears = (what: Locator) =>
  what
    .first()
    .waitFor({ timeout: 1500 })
    .then(
      () => true,
      () => false,
    )
