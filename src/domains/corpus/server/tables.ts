// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface CorpusConditionSet {
  id: GeneratedAlways<string>;
  scenePackageId: string;
  expType: number;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface CorpusDisease {
  id: GeneratedAlways<string>;
  diseaseCode: string;
  diseaseName: string;
  icd10Prefixes: string[];
  available: number;
  sortNo: number;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface CorpusPackageCycle {
  id: GeneratedAlways<string>;
  scenePackageId: string;
  timeOption: string;
  sendTime: string;
  age: number | null;
  playMode: string;
  target: string;
  touchKind: string;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface CorpusScene {
  id: GeneratedAlways<string>;
  name: string;
  diseaseId: string;
  mainSceneId: string | null;
  chatFlag: number;
  copiedFromId: string | null;
  sortNo: number;
  version: Generated<number>;
  deletedAt: string | null;
  deletedBy: string | null;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface CorpusSceneCondition {
  id: GeneratedAlways<string>;
  conditionSetId: string;
  diseaseId: string;
  groupNo: number;
  sortNo: number;
  role: number;
  variableId: string;
  variableName: string;
  operatorValue: string;
  conditionValue: string;
  checked: number;
  createdAt: string;
  createdBy: string | null;
}

export interface CorpusScenePackage {
  id: GeneratedAlways<string>;
  sceneId: string;
  diseaseId: string;
  state: string;
  entryMode: Generated<string>;
  reentry: Generated<string>;
  reentryDays: number | null;
  priority: Generated<number>;
  pauseOnPatientReply: Generated<boolean>;
  pauseOnDoctorReply: Generated<boolean>;
  pauseHours: Generated<number>;
  resumeMode: Generated<string>;
  maxDelayHours: Generated<number>;
  activeGuardMin: Generated<number>;
  recheckLaunch: Generated<boolean>;
  calendarMode: Generated<string>;
  goal: Generated<string>;
  goalWindowDays: Generated<number>;
  endAfterDays: number | null;
  childExclusive: Generated<boolean>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface CorpusScheduleItem {
  id: GeneratedAlways<string>;
  itemKey: string;
  scenePackageId: string;
  dayOffset: number;
  sendTime: string;
  target: string;
  touchKind: string;
  itemConditions: ColumnType<unknown, string | undefined, string>;
  sortNo: Generated<number>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface CorpusTrialFact {
  patientId: string;
  patientName: string;
  sex: number;
  age: number;
  diseaseCode: string;
  conversationId: string;
  facts: ColumnType<unknown, string, string>;
}

export interface CorpusVariableInfo {
  id: string;
  variableCode: string;
  variableName: string;
  userType: number;
  variableInfoFlag: number;
  valueType: string;
  options: ColumnType<unknown, string, string>;
  unit: string;
  decimals: number;
  operators: string[];
  timeDerived: boolean;
  source: string;
  refreshOn: string[];
}

export interface CorpusTables {
  corpusConditionSet: CorpusConditionSet;
  corpusDisease: CorpusDisease;
  corpusPackageCycle: CorpusPackageCycle;
  corpusScene: CorpusScene;
  corpusSceneCondition: CorpusSceneCondition;
  corpusScenePackage: CorpusScenePackage;
  corpusScheduleItem: CorpusScheduleItem;
  corpusTrialFact: CorpusTrialFact;
  corpusVariableInfo: CorpusVariableInfo;
}
