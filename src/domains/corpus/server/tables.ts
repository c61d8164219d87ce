// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface CorpusConditionSet {
  id: GeneratedAlways<string>;
  scenePackageId: string;
  expType: 1 | 2;
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
  available: 0 | 1;
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
  timeOption: 'EVERY_DAY' | 'EVERY_OTHER_DAY' | 'EVERY_TWO_DAYS';
  sendTime: string;
  age: 10 | 20 | 30 | null;
  playMode: 'SAME' | 'ROTATE';
  target: 'AUTO' | 'GROUP' | 'SINGLE';
  touchKind: 'MEDICATION' | 'CHECK' | 'REVISIT' | 'FORM' | 'SERVICE' | 'CARE' | 'EDUCATION' | 'PROMO';
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
  chatFlag: 0 | 1 | 2;
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
  groupNo: 1 | 2 | 3 | 4 | 5;
  sortNo: number;
  role: 1 | 2 | 3;
  variableId: string;
  variableName: string;
  operatorValue: '>' | '<' | '=' | '>=' | '<=' | 'range';
  conditionValue: string;
  checked: 0 | 1;
  createdAt: string;
  createdBy: string | null;
}

export interface CorpusScenePackage {
  id: GeneratedAlways<string>;
  sceneId: string;
  diseaseId: string;
  state: 'UNPUBLISHED' | 'RUNNING' | 'SUSPENDED' | 'OFFLINE';
  entryMode: Generated<'AUTO' | 'MANUAL'>;
  reentry: Generated<'NEVER' | 'AFTER_DAYS'>;
  reentryDays: number | null;
  priority: Generated<number>;
  pauseOnPatientReply: Generated<boolean>;
  pauseOnDoctorReply: Generated<boolean>;
  pauseHours: Generated<number>;
  resumeMode: Generated<'KEEP' | 'SHIFT'>;
  maxDelayHours: Generated<number>;
  activeGuardMin: Generated<number>;
  recheckLaunch: Generated<boolean>;
  calendarMode: Generated<'EVERY' | 'WORKDAY'>;
  goal: Generated<'NONE' | 'REPLY' | 'FORM_DONE' | 'ORDER_PAID' | 'INSPECTION' | 'REVISIT'>;
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
  target: 'AUTO' | 'GROUP' | 'SINGLE';
  touchKind: 'MEDICATION' | 'CHECK' | 'REVISIT' | 'FORM' | 'SERVICE' | 'CARE' | 'EDUCATION' | 'PROMO';
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
  sex: 1 | 2;
  age: number;
  diseaseCode: string;
  conversationId: string;
  facts: ColumnType<unknown, string, string>;
}

export interface CorpusVariableInfo {
  id: string;
  variableCode: string;
  variableName: string;
  userType: 1 | 2 | 3;
  variableInfoFlag: 1 | 2 | 3;
  valueType: 'NUMBER' | 'OPTION';
  options: ColumnType<unknown, string, string>;
  unit: string;
  decimals: number;
  operators: ('>' | '<' | '=' | '>=' | '<=' | 'range')[];
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
