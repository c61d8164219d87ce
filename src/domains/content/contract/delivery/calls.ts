import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, instant, text } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { pageCodes } from '../floors/clientPages.ts';
import { floorLayouts, floorTypes } from '../floors/dictionaries.ts';
import { eventTypes, linkTypes } from './dictionaries.ts';
import { contentMachinePermissions as machine } from './permissions.ts';
import { positionCodes, positionKinds } from './positions.ts';

const service = declareService('ContentService', 'gateway');
const ask = {
  pageCode: field('页面', z.string().check(z.maxLength(32))),
  adcode: field('地区', z.optional(z.string().check(z.regex(/^\d{6}$/, '地区不正确')))),
  clientVersion: field('客户端版本', z.optional(z.string().check(z.regex(/^\d{1,4}(\.\d{1,4}){0,3}$/, '客户端版本不正确')))),
};

const item = z.strictObject({
  /** Names what was shown to whom, for `reportContentEvent`. */
  trackId: z.string(),
  contentNo: z.string(),
  name: z.string(),
  altText: z.string(),
  imageUrl: z.string(),
  linkType: linkTypes.schema,
  linkValue: z.string(),
  linkParams: z.string(),
  /** Of the medicine or doctor that it leads to. */
  linkObjectId: z.nullable(idOut),
  isAd: z.boolean(),
  sponsorName: z.string(),
  disclaimer: z.string(),
  closable: z.boolean(),
  showSeconds: z.nullable(z.int()),
});
const content = z.strictObject({
  pageCode: pageCodes.schema,
  /** Number of the release; 0 where the page has none. */
  seq: z.int(),
  floors: z.array(
    z.strictObject({
      floorKey: z.string(),
      floorType: floorTypes.schema,
      /** Empty where it is not to be shown. */
      title: z.string(),
      layout: floorLayouts.schema,
      moreLink: z.string(),
      /** The place whose deliveries fill the floor. */
      positionCode: z.nullable(positionCodes.schema),
      items: z.array(
        z.strictObject({
          title: z.string(),
          link: z.string(),
          objectId: z.nullable(idOut),
          objectNo: z.string(),
          objectName: z.string(),
          imageUrl: z.string(),
        }),
      ),
    }),
  ),
  positions: z.array(
    z.strictObject({
      positionCode: positionCodes.schema,
      kind: positionKinds.schema,
      rotateSeconds: z.int(),
      items: z.array(item),
      /** Shown where there is no item; empty: nothing is. */
      defaultImageUrl: z.string(),
    }),
  ),
});

/** What a client shows of one of its pages now, to somebody who is not logged in. */
export const queryPageContent = service.read({
  operation: 'queryPageContent',
  label: '查询页面内容',
  access: access.public,
  ratePerMinute: 600,
  input: { ...ask, /** What a client calls its installation. */ deviceId: field('设备', z.optional(text('设备', 64))) },
  output: content,
});
/** The same for the person that the client's own server names: a patient, doctor or store by the page's client. */
export const queryViewerContent = service.read({
  operation: 'queryViewerContent',
  label: '查询用户页面内容',
  access: access.signed(machine.view, 'MINI_APP'),
  input: { ...ask, viewerId: field('用户', id) },
  output: content,
});

const MOST_EVENTS = 50;
/** What became of what was shown; told again it counts once. */
export const reportContentEvent = service.act({
  operation: 'reportContentEvent',
  label: '上报内容事件',
  access: access.public,
  log: 'SYSTEM',
  ratePerMinute: 600,
  input: {
    events: field(
      '事件',
      z
        .array(
          z.strictObject({
            eventId: field('事件编号', z.string('缺少事件编号').check(z.regex(/^[\w-]{8,64}$/, '事件编号不正确'))),
            trackId: field('展示编号', z.string('缺少展示编号').check(z.maxLength(400, '展示编号不正确'))),
            type: field('事件类型', eventTypes.schema),
            at: field('发生时间', instant),
          }),
          '缺少事件',
        )
        .check(z.minLength(1, '缺少事件'), z.maxLength(MOST_EVENTS, `一次最多${MOST_EVENTS}个事件`)),
    ),
  },
  output: z.strictObject({ accepted: z.int() }),
});
