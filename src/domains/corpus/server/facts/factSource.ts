import type { Facts } from '../../../../kernel/contract/rules/rule.ts';
import type { Db, Scope } from '../../../../kernel/server/context.ts';

/** Whose facts are read: a patient in one conversation, with the doctor and assistant of that conversation. */
export interface Unit {
  patientId: string;
  /** null: the latest open one. */
  conversationId: string | null;
}

export interface TrialPatient {
  patientId: string;
  patientName: string;
  sex: 1 | 2;
  age: number;
}

export interface Reader {
  userId: string;
  scope: Scope;
}

/**
 * Everything that conditions are judged by comes through here, so that a trial, a dry run and the engine read the same
 * facts. A patient outside the reader's scope is answered like one that does not exist.
 */
export interface FactSource {
  /** At most 20 patients, those of the package's disease first; `keyword` matches the name. */
  searchPatients(db: Db, reader: Reader, search: { scenePackageId: string; keyword: string | null }): Promise<TrialPatient[]>;
  /** Facts by variable code, per patient; a patient without an entry does not exist. */
  factsFor(db: Db, reader: Reader, units: readonly Unit[], variableCodes: readonly string[]): Promise<ReadonlyMap<string, Facts>>;
}
