/** What the page needs once somebody begins to work in it: in one file, read while there is nothing else to do. */
export { Details } from '../../assets/details.tsx'
export { BatchBar } from './batch-bar.tsx'
export { OpenDialog } from './open-dialog.tsx'
export { OpenMenu } from './open-menu.tsx'
