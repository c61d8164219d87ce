import { isAllowedLink, miniApps } from '../../../../kernel/contract/linkPlaces.ts';
import type { LinkType } from './dictionaries.ts';

/** Kinds of links that name a thing by its number. */
export const linkObjectOf = (type: LinkType): 'MEDICINE' | 'DOCTOR' | null => (type === 'MEDICINE' || type === 'DOCTOR' ? type : null);

const PATH = /^\/[\w\-./?=&%]*$/;

/** Whether the address of a link is one of its type; whether a thing is there is asked of its owner. */
export function linkFits(type: LinkType, value: string, params: string): boolean {
  switch (type) {
    case 'NONE':
      return value === '';
    case 'MINI_PATH':
      return PATH.test(value);
    case 'H5':
      return isAllowedLink(value);
    case 'MEDICINE':
    case 'DOCTOR':
      return value !== '';
    case 'OTHER_MP':
      return miniApps.some(({ appId }) => appId === value) && (params === '' || PATH.test(params));
  }
}

/** What a form says of the value of a link. */
export const linkHints: Readonly<Record<LinkType, { label: string; hint: string }>> = {
  NONE: { label: '', hint: '' },
  MINI_PATH: { label: '页面路径', hint: '以/开头，如/pages/service/index' },
  H5: { label: '网页地址', hint: '须为https' },
  MEDICINE: { label: '药品编号', hint: '如YP开头的编号' },
  DOCTOR: { label: '医生编号', hint: '如YS开头的编号' },
  OTHER_MP: { label: '小程序', hint: '' },
};
