import { dictionary } from '#kernel/contract/dictionary.ts';
import { clientTypeOf, pageCodes, type ClientType, type PageCode } from '../floors/clientPages.ts';
import type { DeliveryKind } from './dictionaries.ts';

export const positionKinds = dictionary('content.positionKind', {
  BANNER: '轮播',
  FEED: '信息流',
  SPLASH: '开屏',
  POPUP: '弹窗',
  FLOAT: '悬浮',
});
export type PositionKind = (typeof positionKinds.codes)[number];

interface Size {
  widthPx: number;
  heightPx: number;
  /** As many are shown at a time. */
  maxItems: number;
  rotateSeconds: number;
}
const sizes: Readonly<Record<PositionKind, Size>> = {
  BANNER: { widthPx: 750, heightPx: 300, maxItems: 5, rotateSeconds: 4 },
  FEED: { widthPx: 690, heightPx: 240, maxItems: 3, rotateSeconds: 0 },
  SPLASH: { widthPx: 750, heightPx: 1334, maxItems: 1, rotateSeconds: 0 },
  POPUP: { widthPx: 600, heightPx: 800, maxItems: 1, rotateSeconds: 0 },
  FLOAT: { widthPx: 160, heightPx: 160, maxItems: 1, rotateSeconds: 0 },
};

/** Every page with a floor of banners has a position for them, every page one for advertisements; the home pages have more. */
export const positionCodes = dictionary('content.positionCode', {
  MP_HOME_BANNER: '患者小程序首页轮播',
  MP_HOME_FEED: '患者小程序首页广告位',
  MP_HOME_SPLASH: '患者小程序开屏',
  MP_HOME_POPUP: '患者小程序首页弹窗',
  MP_HOME_FLOAT: '患者小程序首页悬浮',
  MP_MALL_BANNER: '药品商城轮播',
  MP_MALL_FEED: '药品商城广告位',
  MP_RIGHTS_BANNER: '保险权益页轮播',
  MP_RIGHTS_FEED: '保险权益页广告位',
  MP_DRUG_DETAIL_FEED: '药品详情页广告位',
  MP_CONSULT_BANNER: '咨询页轮播',
  MP_CONSULT_FEED: '咨询页广告位',
  MP_MINE_FEED: '我的页广告位',
  DR_HOME_BANNER: '医生端首页轮播',
  DR_HOME_FEED: '医生端首页广告位',
  DR_HOME_POPUP: '医生端首页弹窗',
  DR_EARNING_BANNER: '医生收入页轮播',
  DR_EARNING_FEED: '医生收入页广告位',
  ST_HOME_BANNER: '药店端首页轮播',
  ST_HOME_FEED: '药店端首页广告位',
});
export type PositionCode = (typeof positionCodes.codes)[number];

export interface Position extends Size {
  positionCode: PositionCode;
  pageCode: PageCode;
  clientType: ClientType;
  kind: PositionKind;
  /** What it takes. */
  takes: DeliveryKind;
}

/** Codes are made of the page's and the kind's. */
function positionOfCode(positionCode: PositionCode): Position {
  const kind = positionKinds.codes.find((code) => positionCode.endsWith(`_${code}`));
  const pageCode = pageCodes.codes.find((code) => positionCode === `${code}_${kind}`);
  if (kind === undefined || pageCode === undefined) throw new Error(`${positionCode} names no page or no kind`);
  return {
    positionCode,
    pageCode,
    clientType: clientTypeOf(pageCode),
    kind,
    takes: kind === 'BANNER' ? 'BANNER' : 'AD',
    ...sizes[kind],
  };
}

export const positions: readonly Position[] = positionCodes.codes.map(positionOfCode);
const byCode = new Map(positions.map((position) => [position.positionCode, position]));

export function positionOf(code: PositionCode): Position {
  const found = byCode.get(code);
  if (!found) throw new Error(`there is no position ${code}`);
  return found;
}
export const positionsOf = (pageCode: PageCode): readonly Position[] => positions.filter((position) => position.pageCode === pageCode);
export const positionsFor = (kind: DeliveryKind): readonly Position[] => positions.filter(({ takes }) => takes === kind);

/** A picture may be a little off the ratio of its place. */
const RATIO_SLACK = 0.01;
export const fitsPosition = (picture: { width: number; height: number }, { widthPx, heightPx }: Position): boolean =>
  Math.abs(picture.width / picture.height / (widthPx / heightPx) - 1) <= RATIO_SLACK;
/** Places of a kind of delivery, to choose from. */
export const positionsIn = (kind: DeliveryKind) => positionCodes.options.filter(({ value }) => positionOf(value).takes === kind);
