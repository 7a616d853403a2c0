import de from './de.ts'
import { restOf } from './first.ts'

export default restOf(de)
