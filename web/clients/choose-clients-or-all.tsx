import { Checkbox } from '@mantine/core'
import { ChooseClients } from './choose-clients.tsx'

/** All clients, also future ones, or some. */
export function ChooseClientsOrAll(props: {
  allLabel: string
  all: boolean
  onAllChange(all: boolean): void
  label: string
  value: string[]
  onChange(clientIds: string[]): void
  error: string | false | undefined
}) {
  return (
    <>
      <Checkbox
        label={props.allLabel}
        checked={props.all}
        onChange={(event) => props.onAllChange(event.currentTarget.checked)}
      />
      {!props.all && (
        <ChooseClients
          label={props.label}
          value={props.value}
          onChange={props.onChange}
          error={props.error}
        />
      )}
    </>
  )
}
