/** Whether the database refused a row because of this unique index. */
export const isUnique = (error: unknown, index: string): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === '23505' &&
  'constraint' in error &&
  error.constraint === index;
