/** What people say to each other about one disease; the demonstration puts conversations together from these. */
export interface Course {
  icd10: string;
  name: string;
  /** First words of patients, one for each consultation. */
  complaints: readonly string[];
  /** The patient asks or reports, the doctor answers. */
  rounds: readonly (readonly [patient: string, doctor: string])[];
  /** Smaller matters between patient and assistant. */
  errands: readonly (readonly [patient: string, assistant: string])[];
  /** A day's report of somebody who is followed up; `{a}` and `{b}` are values. */
  diary: readonly string[];
  values: readonly [from: number, to: number, digits: number, from2?: number, to2?: number];
  /** What the assistant says to a day's report. */
  praise: readonly string[];
  report: string;
  medicine: { medicineName: string; spec: string; dose: string; frequency: string };
  record: { present: string; past: string; allergy: string; advice: string };
}
