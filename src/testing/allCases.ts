import { channelCases } from '../domains/channel/server/channel.cases.ts';
import { wecomCases } from '../domains/channel/server/wecom.cases.ts';
import { corpusCases } from '../domains/corpus/server/corpus.cases.ts';
import { filesCases } from '../domains/files/server/files.cases.ts';
import { identityCases } from '../domains/identity/server/identity.cases.ts';
import { institutionCases } from '../domains/institution/server/institution.cases.ts';
import { patientCases } from '../domains/patient/server/patient.cases.ts';
import { pharmaCases } from '../domains/pharma/server/pharma.cases.ts';
import type { CallCase } from './cases.ts';

/** The cases of all domains, for the tests generated from the call table. */
export const allCases: readonly CallCase[] = [...identityCases, ...filesCases, ...pharmaCases, ...institutionCases, ...channelCases, ...wecomCases, ...corpusCases, ...patientCases];
