import { type DrawerProps, Drawer as MantineDrawer } from '@mantine/core'
import { useFocusGoesBack } from './focus.ts'
import { useIsTop } from './layers.ts'
import { useBackCloses } from './use-back-closes.ts'

/** What slides in over the page; on a phone Back closes it. */
export function Drawer(props: DrawerProps) {
  const isTop = useIsTop(props.opened)
  useFocusGoesBack(props.opened)
  useBackCloses(props.opened, props.onClose)
  return <MantineDrawer {...props} closeOnEscape={isTop} />
}
