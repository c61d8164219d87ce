/** Tables of the kernel; `npm run db:types` writes the types of each domain's tables from the migrated database. */
// biome-ignore lint: generated interface placeholder
export interface KernelTables {}
