import de from './de.ts'
import { firstOf } from './first.ts'

export default firstOf(de)
