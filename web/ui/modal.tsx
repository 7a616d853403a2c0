import { Modal as MantineModal, type ModalProps } from '@mantine/core'
import { useBackCloses } from './use-back-closes.ts'
import './dialogs.css'

/** A dialog; on a phone Back closes it. */
export function Modal(props: ModalProps) {
  useBackCloses(props.opened, props.onClose)
  return <MantineModal {...props} />
}
