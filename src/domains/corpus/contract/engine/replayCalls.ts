import * as z from 'zod/mini';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { day, id, idOut, instantOut } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { corpusPermissions } from '../permissions.ts';
import { previewState } from './previewCalls.ts';

const service = declareService('ScenePackageService');
const may = corpusPermissions['run.view'];
const scenePackageId = field('场景包', id);

/** Days that a changed scene is run against. */
export const REPLAY_DAYS = 14;

export const touchChange = dictionary('corpusTouchChange', {
  ADDED: { label: '新增', tone: 'success' },
  DROPPED: { label: '取消', tone: 'error' },
  MOVED: { label: '改期', tone: 'warning' },
  CHANGED: { label: '内容变化', tone: 'processing' },
  UNKNOWN: '未知',
});
export type TouchChangeCode = (typeof touchChange.codes)[number];

/** One of the days: what the version in force and the changed one send. */
const replayedDay = z.strictObject({
  day: z.string(),
  before: z.int(),
  after: z.int(),
  added: z.int(),
  dropped: z.int(),
  /** Persons of whom something was kept of that day, and all. */
  recorded: z.int(),
  persons: z.int(),
});
export type ReplayedDay = z.output<typeof replayedDay>;

const replay = z.strictObject({
  replayId: idOut,
  contentHash: z.string(),
  /** Number of the version that it was set against; null: none was in force. */
  baseSeq: z.nullable(z.int()),
  fromDay: z.string(),
  toDay: z.string(),
  state: previewState.schema,
  done: z.int(),
  total: z.int(),
  counts: z.strictObject({ ADDED: z.int(), DROPPED: z.int(), MOVED: z.int(), CHANGED: z.int(), UNKNOWN: z.int(), SAME: z.int() }),
  /** Persons for whom anything changes. */
  persons: z.int(),
  entered: z.strictObject({ before: z.int(), after: z.int() }),
  days: z.array(replayedDay),
  /** Of what was really sent by the version in force: how many of it the replay sends too. */
  real: z.strictObject({ sent: z.int(), matched: z.int() }),
  /** More changes than are kept one by one. */
  isCut: z.boolean(),
  /** Whether it still says what the present draft does against the present version. */
  isCurrent: z.boolean(),
  fault: z.string(),
  createdAt: instantOut,
});
export type Replay = z.output<typeof replay>;

/** Runs the draft, or a version, against the last days. */
export const addSceneReplay = service.act({
  operation: 'addSceneReplay',
  label: '近14天对比场景',
  access: may,
  input: { scenePackageId, versionId: field('版本', z.optional(id)) },
  output: replay,
});

/** The newest of the draft, of a version, or the one that is named; null before the first. */
export const querySceneReplay = service.read({
  operation: 'querySceneReplay',
  label: '查询近14天对比',
  access: may,
  input: { scenePackageId, versionId: field('版本', z.optional(id)) },
  output: z.nullable(replay),
});

const replayRow = z.strictObject({
  seq: z.int(),
  patientId: idOut,
  /** Masked. */
  patientName: field('患者', z.string()),
  conversationId: idOut,
  doctorName: field('医生', z.string()),
  change: field('变化', touchChange.schema),
  label: field('触达', z.string()),
  beforeAt: field('原版发送', z.nullable(instantOut)),
  afterAt: field('新版发送', z.nullable(instantOut)),
  why: field('原因', z.string()),
});
export const querySceneReplayRows = service.list({
  operation: 'querySceneReplayRows',
  label: '查询近14天对比明细',
  access: may,
  filter: { previewId: field('对比', id), change: field('变化', z.optional(touchChange.schema)), patientId: field('患者', z.optional(id)) },
  output: replayRow,
});

/** A decision of a past day, made again from what was kept of it. */
const redecision = z.strictObject({
  sendNo: z.string(),
  at: instantOut,
  /** What was decided then, and now again; in words. */
  was: z.string(),
  again: z.string(),
  is: z.enum(['SAME', 'DIFFERS', 'UNKNOWN']),
});

export const queryDayReplay = service.read({
  operation: 'queryDayReplay',
  label: '重放历史日',
  access: may,
  input: { scenePackageId, day: field('日期', day) },
  output: z.strictObject({
    day: z.string(),
    /** Entries and decisions about touches of that day. */
    entries: z.strictObject({ same: z.int(), differs: z.int(), unknown: z.int() }),
    decisions: z.strictObject({ same: z.int(), differs: z.int(), unknown: z.int() }),
    /** Touches that were sent on that day, and that the decisions made again send. */
    sent: z.int(),
    sentAgain: z.int(),
    /** What differs or is not known, the first ones. */
    rows: z.array(redecision),
  }),
});
