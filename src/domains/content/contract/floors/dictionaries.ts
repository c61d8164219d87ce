import { dictionary } from '#kernel/contract/dictionary.ts';
import { clientTypes, pageCodes, type ClientType } from './clientPages.ts';

export const floorTypes = dictionary('content.floorType', {
  BANNER: '轮播',
  ICON_GRID: '金刚区',
  NOTICE: '公告条',
  GOODS: '商品楼层',
  DOCTOR: '医生楼层',
  DISEASE: '病种专区',
  ARTICLE: '科普',
  RIGHTS: '我的权益',
  IMAGE: '图片热区',
  AD: '广告位',
});
export type FloorType = (typeof floorTypes.codes)[number];

export const floorLayouts = dictionary('content.floorLayout', { ONE: '一行一个', TWO: '一行两个', SCROLL: '横滑' });

/** Whether somebody chose what a floor shows, or a rule does. */
export const dataModes = dictionary('content.floorDataMode', { MANUAL: '手工选择', RULE: '按规则' });
export const floorSorts = dictionary('content.floorSort', { NEW: '上新', PRICE: '价格从低到高', SERVED: '服务人次' });
export type FloorSort = (typeof floorSorts.codes)[number];

/** Types whose content is delivered or belongs to the viewer, so that a floor of them holds no items of its own. */
const filledElsewhere: readonly FloorType[] = ['BANNER', 'RIGHTS', 'AD'];
export const holdsItems = (type: FloorType): boolean => !filledElsewhere.includes(type);

/** What a floor's items may be, by its type; null: a text with a link. */
export const itemTypeOf = (type: FloorType): 'MEDICINE' | 'DOCTOR' | null =>
  type === 'GOODS' ? 'MEDICINE' : type === 'DOCTOR' ? 'DOCTOR' : null;

/** Size of the pictures of a floor's items, in pixels; null: of any proportions, or none. */
export const itemPictureOf = (type: FloorType): { width: number; height: number } | null =>
  type === 'ICON_GRID'
    ? { width: 144, height: 144 }
    : type === 'DISEASE'
      ? { width: 340, height: 170 }
      : type === 'ARTICLE'
        ? { width: 240, height: 180 }
        : null;

/** What a rule may sort the things of a floor by. */
export const sortsOf = (type: FloorType): readonly FloorSort[] =>
  type === 'GOODS' ? ['NEW', 'PRICE'] : type === 'DOCTOR' ? ['NEW', 'SERVED'] : [];

const notForPatientsOnly: readonly FloorType[] = ['BANNER', 'ICON_GRID', 'NOTICE', 'GOODS', 'DISEASE', 'ARTICLE', 'IMAGE', 'AD'];
/** Rights and doctors are shown to patients alone. */
export const allowedTypes = (client: ClientType): readonly FloorType[] => (client === 'PATIENT' ? floorTypes.codes : notForPatientsOnly);

/** Why a floor or an item is not shown. */
export const leftOutReasons = dictionary('content.leftOutReason', {
  HIDDEN: '已隐藏',
  NOT_YET: '未到时间',
  OVER: '已结束',
  AUDIENCE: '人群不符',
  OFF: '已下架',
  EMPTY: '没有内容',
});
export type LeftOutReason = (typeof leftOutReasons.codes)[number];

export const floorDictionaries = [pageCodes, clientTypes, floorTypes, floorLayouts, dataModes, floorSorts, leftOutReasons];
