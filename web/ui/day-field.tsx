import { TextInput, type TextInputProps } from '@mantine/core'
import { useFormatter } from 'use-intl'
import { useTypedDay } from './typed-day.ts'

type DayFieldProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  value: string
  /** Empty where there is to be none. */
  onDay(day: string): void
}

/** A day. The browser writes it in its own language, so it is also said in the person's. */
export function DayField({ value, onDay, ...field }: DayFieldProps) {
  const format = useFormatter()
  const typed = useTypedDay(value, onDay)
  const day = new Date(`${value}T12:00:00`)
  return (
    <TextInput
      {...field}
      {...typed}
      type="date"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={Number.isNaN(day.getTime()) ? undefined : format.dateTime(day, { dateStyle: 'long' })}
    />
  )
}
