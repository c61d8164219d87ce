// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface ContentAdvert {
  deliveryId: string;
  kind: Generated<'AD'>;
  pageCode: string;
  sponsorType: 'PHARMA' | 'INSURER' | 'SELF' | 'OTHER';
  sponsorName: string;
  adClass: 'BRAND' | 'OTC' | 'RX' | 'DEVICE' | 'SUPPLEMENT' | 'SERVICE' | 'INSURANCE' | 'PUBLIC';
  approvalNo: Generated<string>;
  approvalUntil: string | null;
  approvalFileId: string | null;
  disclaimer: Generated<string>;
  capPerPersonDay: number;
  capPerPersonTotal: number | null;
  closable: Generated<boolean>;
  showSeconds: number | null;
  budgetType: Generated<'NONE' | 'IMPRESSION' | 'CLICK'>;
  budgetCount: string | null;
  impressions: Generated<string>;
  clicks: Generated<string>;
  contractRef: Generated<string>;
  checks: ColumnType<unknown, string | undefined, string>;
  sponsorId: string | null;
}

export interface ContentDelivery {
  id: GeneratedAlways<string>;
  kind: 'BANNER' | 'AD';
  deliveryNo: string;
  name: string;
  pageCode: string;
  positionCode: string;
  imageFileId: string | null;
  altText: Generated<string>;
  linkType: 'NONE' | 'MINI_PATH' | 'H5' | 'MEDICINE' | 'PRODUCT' | 'DOCTOR' | 'ARTICLE' | 'COUPON' | 'OTHER_MP';
  linkValue: Generated<string>;
  linkParams: Generated<string>;
  linkObjectId: string | null;
  startAt: string;
  endAt: string;
  weekdays: Generated<(1 | 2 | 3 | 4 | 5 | 6 | 7)[]>;
  dailyFrom: string | null;
  dailyTo: string | null;
  audience: ColumnType<unknown, string | undefined, string>;
  priority: Generated<number>;
  state: Generated<'DRAFT' | 'AUDITING' | 'APPROVED' | 'REJECTED' | 'OFFLINE'>;
  submittedBy: string | null;
  submittedAt: string | null;
  auditedBy: string | null;
  auditedAt: string | null;
  opinion: string | null;
  offlineReason: Generated<string>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface ContentEvent {
  eventId: string;
  track: string;
  type: 'SHOW' | 'CLICK' | 'CLOSE';
  at: string;
}

export interface ContentFloor {
  id: GeneratedAlways<string>;
  floorKey: string;
  pageCode: string;
  floorName: string;
  floorType: 'BANNER' | 'ICON_GRID' | 'NOTICE' | 'GOODS' | 'DOCTOR' | 'DISEASE' | 'ARTICLE' | 'RIGHTS' | 'IMAGE' | 'AD';
  title: Generated<string>;
  showTitle: Generated<boolean>;
  layout: 'ONE' | 'TWO' | 'SCROLL';
  items: ColumnType<unknown, string | undefined, string>;
  startAt: string | null;
  endAt: string | null;
  hideWhenEmpty: Generated<boolean>;
  hidden: Generated<boolean>;
  sortNo: number;
  changedIn: number;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  moreLink: Generated<string>;
  background: Generated<string>;
  dataMode: Generated<'MANUAL' | 'RULE'>;
  rule: ColumnType<unknown, string | null | undefined, string | null>;
  audience: ColumnType<unknown, string | undefined, string>;
}

export interface ContentMark {
  id: GeneratedAlways<string>;
  groupId: string;
  markCode: string;
  markName: string;
  pinyin: string;
  color: 'default' | 'blue' | 'cyan' | 'green' | 'gold' | 'orange' | 'red' | 'magenta' | 'purple';
  description: Generated<string>;
  defaultDays: number | null;
  sortNo: number;
  state: Generated<'ENABLED' | 'DISABLED'>;
  objectCount: Generated<number>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface ContentMarkBinding {
  id: GeneratedAlways<string>;
  markId: string;
  groupId: string;
  objectType: 'PATIENT' | 'DOCTOR' | 'MEDICINE' | 'CHANNEL' | 'DRUGSTORE' | 'MATERIAL';
  selectMode: 'SINGLE' | 'MULTI';
  objectId: string;
  source: 'MANUAL' | 'RULE' | 'IMPORT' | 'EVENT';
  sourceId: string | null;
  boundAt: string;
  boundBy: string | null;
  expireAt: string | null;
  endedAt: string | null;
  endedBy: string | null;
  endReason: 'MANUAL' | 'RULE' | 'EXPIRED' | 'REPLACED' | 'MARK_OFF' | 'MERGED' | null;
  note: Generated<string>;
}

export interface ContentMarkRule {
  id: GeneratedAlways<string>;
  ruleNo: string;
  markId: string;
  groupId: string;
  objectType: 'PATIENT' | 'DOCTOR' | 'MEDICINE' | 'CHANNEL' | 'DRUGSTORE' | 'MATERIAL';
  selectMode: 'SINGLE' | 'MULTI';
  conditions: ColumnType<unknown, string, string>;
  removeWhenFalse: boolean;
  schedule: 'EVENT' | 'DAILY' | 'ONCE';
  contentHash: string;
  state: Generated<'DRAFT' | 'RUNNING' | 'PAUSED' | 'ENDED'>;
  publishedSeq: Generated<number>;
  publishedAt: string | null;
  publishedBy: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface ContentMarkRuleRun {
  id: GeneratedAlways<string>;
  ruleId: string;
  seq: number;
  kind: 'DRY' | 'RUN';
  contentHash: string;
  startedAt: string;
  startedBy: string | null;
  finishedAt: string | null;
  total: Generated<number>;
  evaluated: Generated<number>;
  toAdd: Generated<number>;
  toRemove: Generated<number>;
  added: Generated<number>;
  removed: Generated<number>;
  state: Generated<'RUNNING' | 'DONE' | 'FAILED' | 'ABORTED'>;
  fault: string | null;
  sample: ColumnType<unknown, string | undefined, string>;
}

export interface ContentPageLayout {
  id: GeneratedAlways<string>;
  pageCode: 'MP_HOME' | 'MP_MALL' | 'MP_RIGHTS' | 'MP_DRUG_DETAIL' | 'MP_CONSULT' | 'MP_MINE' | 'DR_HOME' | 'DR_EARNING' | 'ST_HOME';
  version: Generated<number>;
  updatedAt: string | null;
  updatedBy: string | null;
}

export interface ContentPageRelease {
  id: GeneratedAlways<string>;
  pageCode: string;
  seq: number;
  snapshot: ColumnType<unknown, string, string>;
  contentHash: string;
  state: Generated<'AUDITING' | 'SCHEDULED' | 'LIVE' | 'REJECTED' | 'SUPERSEDED' | 'CANCELLED'>;
  effectiveAt: string | null;
  submittedBy: string;
  submittedAt: string;
  auditedBy: string | null;
  auditedAt: string | null;
  opinion: string | null;
}

export interface ContentPromotionTag {
  markId: string;
  groupId: string;
  kind: Generated<'PROMOTION'>;
  displayText: string;
  style: 'CORNER' | 'PILL' | 'TEXT';
  startAt: string | null;
  endAt: string | null;
  priority: Generated<number>;
  pages: ('MP_HOME' | 'MP_MALL' | 'MP_DRUG_DETAIL')[];
}

export interface ContentStat {
  deliveryId: string;
  day: string;
  hour: number;
  region: Generated<string>;
  impressions: Generated<number>;
  viewers: Generated<number>;
  clicks: Generated<number>;
  closes: Generated<number>;
}

export interface ContentTagGroup {
  id: GeneratedAlways<string>;
  groupName: string;
  objectType: 'PATIENT' | 'DOCTOR' | 'MEDICINE' | 'CHANNEL' | 'DRUGSTORE' | 'MATERIAL';
  selectMode: 'SINGLE' | 'MULTI';
  color: 'default' | 'blue' | 'cyan' | 'green' | 'gold' | 'orange' | 'red' | 'magenta' | 'purple';
  sensitive: Generated<boolean>;
  manualAllowed: Generated<boolean>;
  maxPerObject: number | null;
  sortNo: number;
  state: Generated<'ENABLED' | 'DISABLED'>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  kind: Generated<'MARK' | 'PROMOTION'>;
}

export interface ContentViewing {
  deliveryId: string;
  viewer: string;
  day: string;
  shows: Generated<number>;
}

export interface ContentTables {
  contentAdvert: ContentAdvert;
  contentDelivery: ContentDelivery;
  contentEvent: ContentEvent;
  contentFloor: ContentFloor;
  contentMark: ContentMark;
  contentMarkBinding: ContentMarkBinding;
  contentMarkRule: ContentMarkRule;
  contentMarkRuleRun: ContentMarkRuleRun;
  contentPageLayout: ContentPageLayout;
  contentPageRelease: ContentPageRelease;
  contentPromotionTag: ContentPromotionTag;
  contentStat: ContentStat;
  contentTagGroup: ContentTagGroup;
  contentViewing: ContentViewing;
}
