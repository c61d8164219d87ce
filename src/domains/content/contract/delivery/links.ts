import { isAllowedLink, miniApps, miniPath } from '#kernel/contract/linkPlaces.ts';
import type { LinkType } from './dictionaries.ts';
import type { ThingType } from './things.ts';

/** Kinds of links that name a thing by its number. */
const things = ['MEDICINE', 'PRODUCT', 'DOCTOR', 'ARTICLE', 'COUPON'] as const satisfies readonly (LinkType & ThingType)[];
export const linkObjectOf = (type: LinkType): (typeof things)[number] | null => things.find((thing) => thing === type) ?? null;

/** Whether the address of a link is one of its type; whether a thing is there is asked of its owner. */
export function linkFits(type: LinkType, value: string, params: string): boolean {
  switch (type) {
    case 'NONE':
      return value === '';
    case 'MINI_PATH':
      return miniPath.test(value);
    case 'H5':
      return isAllowedLink(value);
    case 'MEDICINE':
    case 'PRODUCT':
    case 'DOCTOR':
    case 'ARTICLE':
    case 'COUPON':
      return value !== '';
    case 'OTHER_MP':
      return miniApps.some(({ appId }) => appId === value) && (params === '' || miniPath.test(params));
  }
}

export interface Link {
  linkType: LinkType;
  linkValue: string;
  linkParams: string;
}
/** What a phone opens to see where a link leads. @param appOpenUrl as configured */
export const testAddress = ({ linkType, linkValue, linkParams }: Link, appOpenUrl: string): string =>
  linkType === 'H5'
    ? linkValue
    : `${appOpenUrl}?${new URLSearchParams({ linkType, linkValue, ...(linkParams !== '' && { linkParams }) }).toString()}`;

/** What a form says of the value of a link. */
export const linkHints: Readonly<Record<LinkType, { label: string; hint: string }>> = {
  NONE: { label: '', hint: '' },
  MINI_PATH: { label: '页面路径', hint: '以/开头，如/pages/service/index' },
  H5: { label: '网页地址', hint: '须为https' },
  MEDICINE: { label: '药品', hint: '按编号或名称搜索，下架后不再展示' },
  PRODUCT: { label: '保险产品', hint: '按编号或名称搜索，停售后不再展示' },
  DOCTOR: { label: '医生', hint: '按编号或姓名搜索，停用后不再展示' },
  ARTICLE: { label: '文章', hint: '按编号或标题搜索' },
  COUPON: { label: '优惠券', hint: '按编号或名称搜索' },
  OTHER_MP: { label: '小程序', hint: '' },
};
