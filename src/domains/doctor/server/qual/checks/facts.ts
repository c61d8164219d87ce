import type { Day } from '#kernel/contract/time.ts';

/** One proposed certificate, by what was confirmed on it, else read from it, else typed in. */
export interface CertFacts {
  certType: string;
  certNo: string | null;
  /** Name printed on it. */
  holderName: string | null;
  /** Institution printed on it. */
  hospitalName: string | null;
  /** Title that it certifies. */
  titleCode: string | null;
  validTo: Day | null;
}

/** Everything that the checks of a qualification look at. */
export interface CheckFacts {
  today: Day;
  name: string;
  idNo: string | null;
  titleCode: string | null;
  practiceScope: string | null;
  standardDeptCode: string | null;
  certs: readonly CertFacts[];
  /** The institution that the doctor names; null = none. */
  hospitalName: string | null;
  /** Printed institutions that mean the named hospital or one of its other names. */
  matchingHospitalNames: readonly string[];
  /** Certificates and identity number that another live doctor holds: what, and who. */
  usedBy: readonly { what: string; doctorNo: string }[];
  /** Faces on the portrait; null = nobody counted. */
  faces: number | null;
  /** Numbers of doctors of the same name in the same hospital. */
  namesakes: readonly string[];
}

export type MachineResult = 'PASS' | 'WARN' | 'FAIL' | 'UNKNOWN';
export interface Finding {
  result: MachineResult;
  explain: string;
}
