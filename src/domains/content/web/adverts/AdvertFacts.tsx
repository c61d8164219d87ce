import { Facts } from '../../../../kernel/web/detail/DetailLayout.tsx';
import { Time } from '../../../../kernel/web/kit/values.tsx';
import type { AdvertRow } from '../../contract/adverts/calls.ts';
import { adClasses, budgetTypes, sponsorTypes } from '../../contract/adverts/dictionaries.ts';
import { LinkText } from '../delivery/LinkText.tsx';
import { positionCodes } from '../../contract/delivery/positions.ts';

/** What there is to know of an advertisement, for its detail and its audit. */
export const AdvertFacts = ({ advert }: { advert: AdvertRow }) => (
  <Facts
    facts={[
      { label: '广告主', value: `${advert.sponsorName}（${sponsorTypes.label(advert.sponsorType)}）` },
      { label: '类别', value: adClasses.label(advert.adClass) },
      { label: '位置', value: positionCodes.label(advert.positionCode) },
      { label: '优先级', value: advert.priority },
      { label: '批准文号', value: advert.approvalNo || null },
      { label: '文号有效期', value: advert.approvalUntil },
      { label: '免责声明', value: advert.disclaimer || null, wide: true },
      { label: '开始时间', value: <Time at={advert.startAt} /> },
      { label: '结束时间', value: <Time at={advert.endAt} /> },
      { label: '每日时段', value: advert.slot || '全天' },
      { label: '跳转', value: <LinkText row={advert} whole /> },
      { label: '人群', value: advert.audienceText, wide: true },
      {
        label: '频次',
        value: `每人每日${advert.capPerPersonDay}次${advert.capPerPersonTotal === null ? '' : `，累计${advert.capPerPersonTotal}次`}`,
      },
      {
        label: '预算',
        value: advert.budgetType === 'NONE' ? '不限' : `${budgetTypes.label(advert.budgetType)} ${advert.spent} / ${advert.budgetCount}`,
      },
      { label: '合同号', value: advert.contractRef || null },
      { label: '替代文字', value: advert.altText || null },
      { label: '创建人', value: advert.createdByName },
      { label: '审核人', value: advert.auditedByName },
      { label: '审核意见', value: advert.opinion, wide: true },
      { label: '下线原因', value: advert.offlineReason || null, wide: true },
    ]}
  />
);
