import { Button, Drawer, Skeleton, Tabs } from 'antd';
import { plusDays } from '#kernel/contract/time.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure, Waiting } from '#kernel/web/kit/TableState.tsx';
import { Dict, Money } from '#kernel/web/kit/values.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { channelFieldKeys, queryChannelDetail, queryChannelStat } from '../../contract/calls/channels.ts';
import { vipLevels } from '../../contract/dictionaries.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';
import { channelStates, vipStates } from '../../contract/states.ts';
import { Funnel, ScanLines } from '../shared/charts.tsx';
import { todayHere } from '#kernel/web/form/today.ts';

/** Who may see people by their channel, on a page of another domain. */
const ATTRIBUTIONS = 'doctor.attribution.view';

/** Fields that the title and facts of several fields show, and ids that stand by name. */
const SHOWN_ELSEWHERE = ['name', 'ownerId', 'agentId', 'companyId', 'productLineId', 'adcode', 'startDate', 'endDate', 'costFen'] as const;

/** Everything of one channel; its address is `?channelId=`. */
export function ChannelDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const may = useMay();
  const { data, error, refetch } = useData(queryChannelDetail, { id }, { quiet: true });
  const statistics = useData(
    queryChannelStat,
    { channelIds: [id], from: plusDays(todayHere(), -29), to: todayHere(), groupBy: 'DOCTOR' },
    { quiet: true },
  );
  const stat = statistics.data;
  const seesPeople = may(ATTRIBUTIONS);
  return (
    <Drawer open title={data ? `${data.name}（${data.channelNo}）` : '渠道'} size={860} onClose={onClose}>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <Tabs
          items={[
            {
              key: 'overview',
              label: '概览',
              children: (
                <>
                  <Facts
                    facts={factsIn(
                      queryChannelDetail.output,
                      data,
                      [
                        { label: '状态', value: <Dict of={channelStates.dictionary} code={data.state} /> },
                        'channelType',
                        { label: '上级渠道', value: data.parentName ?? '无' },
                        'ownerName',
                        'agentName',
                        { label: '有效期', value: `${data.startDate} 至 ${data.endDate ?? '长期'}` },
                        { label: '投放费用', value: <Money fen={data.costFen} unit /> },
                        'tags',
                        { key: 'remark', wide: true },
                      ],
                      { of: channelFieldKeys, without: SHOWN_ELSEWHERE },
                    )}
                  />
                  <Section title="近30天扫码">
                    <ScanLines series={data.trend} />
                  </Section>
                  <Section title="转化（人）">{stat ? <Funnel stages={stat.funnel} /> : <Waiting for={statistics} />}</Section>
                </>
              ),
            },
            {
              key: 'codes',
              label: `二维码（${data.codeCount}）`,
              children: may(rights['code.view']) ? (
                <Button onClick={() => goTo('/commonQRcode', { channelId: id })}>查看该渠道的二维码</Button>
              ) : (
                <div className="kq-empty">没有查看二维码的权限</div>
              ),
            },
            {
              key: 'scenes',
              label: '场景码',
              children: may(rights['scene.view']) ? (
                <Button onClick={() => goTo('/sceneCode', { channelId: id })}>查看该渠道的场景码</Button>
              ) : (
                <div className="kq-empty">没有查看场景码的权限</div>
              ),
            },
            {
              key: 'doctors',
              label: `医生（${data.doctorCount}）`,
              children: (
                <>
                  {seesPeople && (
                    <p>
                      <Button onClick={() => goTo('/doctorPatientChannelManagement', { channelId: id })}>查看归属该渠道的医生</Button>
                    </p>
                  )}
                  <Section title="近30天各医生场景码">
                    {stat?.series.length ? (
                      <ul className="ch-history">
                        {stat.series.map((row) => (
                          <li key={row.key}>
                            {row.label}：扫码{row.pv}次，注册{row.registered}，订单{row.orders}
                          </li>
                        ))}
                      </ul>
                    ) : (
                      <div className="kq-empty">近30天没有医生场景码的扫码</div>
                    )}
                  </Section>
                </>
              ),
            },
            {
              key: 'patients',
              label: `患者（${data.patientCount}）`,
              children: (
                <>
                  {seesPeople && (
                    <p>
                      <Button onClick={() => goTo('/doctorPatientChannelManagement', { tab: 'patients', channelId: id })}>
                        查看归属该渠道的患者
                      </Button>
                    </p>
                  )}
                  <Facts
                    columns={2}
                    facts={[
                      { label: '归属患者', value: data.patientCount },
                      { label: '近30天首单', value: data.firstOrders },
                    ]}
                  />
                </>
              ),
            },
            {
              key: 'vips',
              label: 'VIP',
              children:
                data.vips.length === 0 ? (
                  <div className="kq-empty">该渠道没有VIP权益</div>
                ) : (
                  <ul className="ch-history">
                    {data.vips.map((vip) => (
                      <li key={vip.id}>
                        {vip.vipNo} {vipLevels.label(vip.level)} {vip.startDate} 至 {vip.endDate}{' '}
                        <Dict of={vipStates.dictionary} code={vip.state} />{' '}
                        {may(rights['vip.view']) && (
                          <Button type="link" size="small" onClick={() => goTo('/channelVip', { vipNo: vip.vipNo })}>
                            查看
                          </Button>
                        )}
                      </li>
                    ))}
                  </ul>
                ),
            },
            { key: 'trail', label: '操作轨迹', children: <AuditTimeline rows={data.trail} machine={channelStates} /> },
          ]}
        />
      )}
    </Drawer>
  );
}
