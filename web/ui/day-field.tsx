import { TextInput, type TextInputProps } from '@mantine/core'
import { useFormatter } from 'use-intl'

/** A day. The browser writes it in its own language, so it is also said in the person's. */
export function DayField({ value, ...field }: TextInputProps & { value: string }) {
  const format = useFormatter()
  const day = new Date(`${value}T12:00:00`)
  return (
    <TextInput
      {...field}
      type="date"
      value={value}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={Number.isNaN(day.getTime()) ? undefined : format.dateTime(day, { dateStyle: 'long' })}
    />
  )
}
