import { useMutation } from '@tanstack/react-query'
import type { NewPickerToken, PickerToken } from '../../contract/picker.ts'
import { api } from '../api.ts'

/** Lets a page of another site show the picker. */
export const useAllowPicker = () =>
  useMutation({ mutationFn: (asked: NewPickerToken) => api.post<PickerToken>('/picker/tokens', asked) })
