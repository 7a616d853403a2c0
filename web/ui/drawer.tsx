import { type DrawerProps, Drawer as MantineDrawer } from '@mantine/core'
import { useIsTop } from './layers.ts'
import { useBackCloses } from './use-back-closes.ts'
import { useFocusGoesBack } from './use-focus-goes-back.ts'

/** What slides in over the page; on a phone Back closes it. */
export function Drawer(props: DrawerProps) {
  const isTop = useIsTop(props.opened)
  useFocusGoesBack(props.opened)
  useBackCloses(props.opened, props.onClose)
  return <MantineDrawer {...props} closeOnEscape={isTop} />
}
