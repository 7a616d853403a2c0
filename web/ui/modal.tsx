import { Modal as MantineModal, type ModalProps } from '@mantine/core'
import { useBackCloses } from './use-back-closes.ts'
import './dialogs.css'

/** A dialog; on a phone Back closes it. */
export function Modal({ closeOnBack = true, ...props }: ModalProps & { closeOnBack?: boolean }) {
  useBackCloses(props.opened, closeOnBack ? props.onClose : null)
  return <MantineModal {...props} />
}
