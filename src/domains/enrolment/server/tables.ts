export type EnrolmentTables = Record<never, never>;
