import type { ComponentProps } from 'react'
import './admin-frame.css'

interface AdminTableProps extends ComponentProps<'table'> {
  heads: string[]
  /** What the last column does, for those who cannot see its icons. */
  acts?: string
}

export const AdminTable = ({ heads, acts, className = '', children, ...table }: AdminTableProps) => (
  <table className={`access-table ${className}`} {...table}>
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head}>{head}</th>
        ))}
        {acts && (
          <th>
            <span className="unseen">{acts}</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)
