import { Drawer } from 'antd';
import { AuditTimeline } from '../../../../kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout, Facts } from '../../../../kernel/web/detail/DetailLayout.tsx';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { Dict, Time } from '../../../../kernel/web/kit/values.tsx';
import { queryBannerDetail } from '../../contract/banners/calls.ts';
import { shownStates } from '../../contract/delivery/dictionaries.ts';
import { positionCodes } from '../../contract/delivery/positions.ts';
import { bannerMachine } from '../../contract/delivery/states.ts';
import { LinkText } from '../delivery/LinkText.tsx';

const WIDTH = 860;

/** One banner: its picture, where, when and to whom, and who did what. */
export function BannerDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, loading, refetch } = useData(queryBannerDetail, { id }, { quiet: true });
  const banner = data?.banner;
  return (
    <Drawer open size={WIDTH} title="Banner详情" onClose={onClose} destroyOnHidden>
      <DetailLayout
        title={banner?.bannerName}
        subtitle={banner?.bannerNo}
        state={banner && <Dict of={shownStates} code={banner.shownState} />}
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
      >
        {data && banner && (
          <>
            {data.imageUrl && <img className="dl-large" src={data.imageUrl} alt={banner.altText || banner.bannerName} />}
            <Facts
              facts={[
                { label: '位置', value: positionCodes.label(banner.positionCode) },
                { label: '优先级', value: banner.priority },
                { label: '开始时间', value: <Time at={banner.startAt} /> },
                { label: '结束时间', value: <Time at={banner.endAt} /> },
                { label: '每日时段', value: banner.slot || '全天' },
                { label: '跳转', value: <LinkText row={banner} whole /> },
                { label: '替代文字', value: banner.altText || null },
                { label: '人群', value: banner.audienceText, wide: true },
                { label: '创建人', value: banner.createdByName },
                { label: '审核人', value: banner.auditedByName },
                { label: '审核意见', value: banner.opinion, wide: true },
                { label: '下线原因', value: banner.offlineReason || null, wide: true },
              ]}
            />
            <h3 className="dl-part">操作轨迹</h3>
            <AuditTimeline rows={data.timeline} machine={bannerMachine} />
          </>
        )}
      </DetailLayout>
    </Drawer>
  );
}
