import { TextInput } from '@mantine/core'
import { Search } from 'lucide-react'

export const SearchBox = (props: { label: string; value: string; onChange(value: string): void }) => (
  <TextInput
    aria-label={props.label}
    placeholder={props.label}
    leftSection={<Search size={16} />}
    value={props.value}
    onChange={(event) => props.onChange(event.currentTarget.value)}
  />
)
