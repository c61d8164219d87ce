import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { queryAdvertiseList, type AdvertRow } from '../../contract/adverts/calls.ts';
import { budgetTypes, sponsorTypes } from '../../contract/adverts/dictionaries.ts';
import { LinkText } from '../delivery/LinkText.tsx';

/** What there is to know of an advertisement, for its detail and its audit. */
export const AdvertFacts = ({ advert }: { advert: AdvertRow }) => (
  <Facts
    facts={factsIn(queryAdvertiseList.output, advert, [
      { key: 'sponsorName', value: `${advert.sponsorName}（${sponsorTypes.label(advert.sponsorType)}）` },
      'adClass',
      'positionCode',
      'priority',
      'approvalNo',
      'approvalUntil',
      { key: 'disclaimer', wide: true },
      'startAt',
      'endAt',
      { key: 'slot', value: advert.slot || '全天' },
      { label: '跳转', value: <LinkText row={advert} whole /> },
      { key: 'audienceText', wide: true },
      {
        label: '频次',
        value: `每人每日${advert.capPerPersonDay}次${advert.capPerPersonTotal === null ? '' : `，累计${advert.capPerPersonTotal}次`}`,
      },
      {
        label: '预算',
        value: advert.budgetType === 'NONE' ? '不限' : `${budgetTypes.label(advert.budgetType)} ${advert.spent} / ${advert.budgetCount}`,
      },
      'contractRef',
      'altText',
      'createdByName',
      'auditedByName',
      { key: 'opinion', wide: true },
      { key: 'offlineReason', wide: true },
    ])}
  />
);
