import { Modal as MantineModal, type ModalProps } from '@mantine/core'
import { useFocusGoesBack } from './focus.ts'
import { useIsTop } from './layers.ts'
import { useBackCloses } from './use-back-closes.ts'
import './dialogs.css'

/** A dialog; on a phone Back closes it. With words typed into it, only its buttons do. */
export function Modal({
  closeOnBack = true,
  holdsWords = false,
  ...props
}: ModalProps & { closeOnBack?: boolean; holdsWords?: boolean }) {
  const isTop = useIsTop(props.opened)
  useFocusGoesBack(props.opened)
  useBackCloses(props.opened, closeOnBack && !holdsWords ? props.onClose : null)
  return (
    <MantineModal
      closeOnClickOutside={!holdsWords}
      {...props}
      closeOnEscape={isTop && !holdsWords && (props.closeOnEscape ?? true)}
    />
  )
}
