/**
 * Migrations whose text was changed after databases had run them, and what it was then (SHA-256): the schema that they lead to is the
 * same, but for a comment. Nothing may be added here: `scripts/checks/migrations.test.ts` refuses a landed migration that changed.
 */
const EARLIER: Readonly<Record<string, readonly string[]>> = {
  '202611270401_patient_assistants.sql': ['0207c39aa8652c4dbd431f9e0a62bdd06f68d7fe9d4114f91c5bd0b4358a9066'],
  '202611270600_policy_abnormal.sql': ['bd20fe0d90dff29fa90092ba2029be629294ee9075b54bd8fdf620b410e042ba'],
  '202611292700_corpus_gate_codes.sql': ['75fb9cbee4ffd187990bb7412b1020acaccc77b7518627e7db8772e24cfbc214'],
};

/** Whether a database that has run a migration with this checksum has what the migration makes now. */
export const isSameMigration = ({ name, checksum }: { name: string; checksum: string }, run: string): boolean =>
  checksum === run || EARLIER[name]?.includes(run) === true;
