import { Button, Rate } from 'antd';
import { useState } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { Dict, NOTHING, Time } from '#kernel/web/kit/values.tsx';
import { queryVisitRecordList, type VisitDetail } from '../../../contract/calls/visits.ts';
import { boardActions, endReasons, ratingTags, refundStates, serviceTypes } from '../../../contract/dictionaries.ts';
import { consultationPermissions as may } from '../../../contract/permissions.ts';
import { inquiryMachine, videoRoomMachine, visitRecordMachine } from '../../../contract/states.ts';
import { spanText } from '../spans.ts';
import { revealed } from '../visitList.tsx';

function InfoTab({ detail: { row, inquiry, plain } }: { detail: VisitDetail }) {
  const [shown, setShown] = useState<number | null>(null);
  return (
    <>
      <Facts
        title="问诊"
        facts={factsIn(queryVisitRecordList.output, row, [
          {
            key: 'suffererName',
            value: (
              <Masked
                value={row.suffererName}
                permission={row.plain ? '' : may['inquiry.reveal']}
                reveal={() => revealed(row, 'suffererName')}
              />
            ),
          },
          'doctorName',
          { label: '医院/科室', value: [row.hospitalName, row.departmentName].filter(Boolean).join(' / ') || null },
          { label: '服务', value: `${serviceTypes.label(row.serviceType)}（${row.serviceName}）` },
          'ownerAssistantName',
          { label: '会话编号', value: row.groupId },
          'createdAt',
          { label: '接诊用时', value: spanText(row.acceptSec) },
          { label: '首次回复用时', value: spanText(row.firstReplySec) },
          { label: '到期时间', value: <Time at={inquiry.expireAt} /> },
          'endedAt',
          { label: '结束原因', value: inquiry.endReason ? endReasons.label(inquiry.endReason) : null },
          { label: '时长', value: spanText(row.durationSec) },
          { label: '轮次', value: row.roundLimit === 0 ? `${row.roundUsed}轮` : `${row.roundUsed}/${row.roundLimit}轮` },
          { label: '视频时长', value: row.videoSecUsed === 0 ? null : spanText(row.videoSecUsed) },
          { label: '预约时间', value: <Time at={inquiry.slotAt} /> },
        ])}
      />
      <Section title="患者自述">
        {plain ? (
          <p style={{ whiteSpace: 'pre-wrap', margin: 0 }}>{inquiry.chiefComplaint || '未填写'}</p>
        ) : row.chiefComplaint === null ? (
          <p className="kq-muted">未填写</p>
        ) : (
          <Masked value={row.chiefComplaint} permission={may['inquiry.reveal']} reveal={() => revealed(row, 'chiefComplaint')} />
        )}
        {inquiry.attachments.length > 0 && (
          <p style={{ margin: '8px 0 0', display: 'flex', gap: 8, flexWrap: 'wrap' }}>
            {inquiry.attachments.map((file, index) => (
              <Button key={file.fileId} size="small" onClick={() => setShown(index)}>
                {file.fileName}
              </Button>
            ))}
          </p>
        )}
        <FilePreview
          files={
            shown === null
              ? null
              : inquiry.attachments.map(({ fileId, fileName, detectedType }) => ({ fileId, fileName, detectedType, pageCount: null }))
          }
          index={shown ?? 0}
          ownerType="consultation.inquiry"
          ownerId={row.serverId}
          onClose={() => setShown(null)}
        />
      </Section>
    </>
  );
}

function VideosTab({ detail: { videos } }: { detail: VisitDetail }) {
  if (videos.length === 0) return <div className="kq-empty">本次问诊没有视频通话</div>;
  return (
    <>
      {videos.map((room) => (
        <Section
          key={room.roomId}
          title={
            <>
              房间 {room.roomId} <Dict of={videoRoomMachine.dictionary} code={room.state} />
            </>
          }
        >
          <Facts
            facts={[
              { label: '开始', value: <Time at={room.startedAt} /> },
              { label: '结束', value: <Time at={room.endedAt} /> },
              { label: '通话时长', value: spanText(room.talkSec) },
              { label: '医患同时在场', value: spanText(room.doctorPatientSec) },
            ]}
          />
          <p className="kq-muted" style={{ margin: '8px 0 0' }}>
            {room.participants.length === 0
              ? '没有人加入'
              : room.participants.map((one) => (
                  <span key={`${one.nick}${one.joinedAt}`} style={{ marginRight: 16 }}>
                    {one.nick} <Time at={one.joinedAt} /> 至 {one.leftAt ? <Time at={one.leftAt} /> : '通话中'}
                  </span>
                ))}
          </p>
        </Section>
      ))}
    </>
  );
}

function FeeTab({ detail: { row, inquiry } }: { detail: VisitDetail }) {
  return (
    <>
      <Facts
        title="费用与订单"
        facts={factsIn(queryVisitRecordList.output, row, [
          {
            label: '咨询订单',
            value:
              inquiry.orderNo && inquiry.orderId ? (
                <PageLink to="/payConsultation" search={{ id: inquiry.orderId }}>
                  {inquiry.orderNo}
                </PageLink>
              ) : null,
          },
          'feeFen',
          { key: 'refundState', value: <Dict of={refundStates} code={row.refundState} /> },
          'refundedFen',
          { label: '计收时间', value: <Time at={inquiry.settleAt} /> },
        ])}
      />
      <p className="kq-muted">退款在付费咨询的订单中办理。</p>
    </>
  );
}

const tagText = (tags: readonly string[]) => tags.map((tag) => (Object.hasOwn(labels, tag) ? labels[tag] : tag)).join('、');
const labels: Readonly<Record<string, string>> = Object.fromEntries(ratingTags.options.map(({ value, label }) => [value, label]));

function RatingTab({ detail: { rating, quality } }: { detail: VisitDetail }) {
  return (
    <>
      <Section title="患者评价">
        {rating === null ? (
          <p className="kq-muted">患者尚未评价</p>
        ) : (
          <Facts
            facts={[
              { label: '星级', value: <Rate disabled value={rating.stars} /> },
              { label: '标签', value: tagText(rating.tags) || null },
              { label: '评价时间', value: <Time at={rating.at} /> },
              { label: '内容', value: rating.text ?? NOTHING },
            ]}
          />
        )}
      </Section>
      <Section title="质检">
        {quality === null ? (
          <p className="kq-muted">尚未质检</p>
        ) : (
          <Facts
            facts={[
              { label: '得分', value: <b className="kq-number">{quality.score}</b> },
              { label: '标签', value: quality.tags.join('、') || null },
              { label: '质检人', value: quality.by },
              { label: '质检时间', value: <Time at={quality.at} /> },
              { label: '说明', value: quality.note },
            ]}
          />
        )}
      </Section>
    </>
  );
}

/** States and acts of the inquiry and of its record in one trail. */
const both = {
  dictionary: {
    label: (code: string) =>
      Object.hasOwn(visitRecordMachine.states, code) ? visitRecordMachine.dictionary.label(code) : inquiryMachine.dictionary.label(code),
    tone: (code: string) =>
      Object.hasOwn(visitRecordMachine.states, code) ? visitRecordMachine.dictionary.tone(code) : inquiryMachine.dictionary.tone(code),
  },
  transitions: { ...inquiryMachine.transitions, ...visitRecordMachine.transitions },
};

function TrailTab({ detail }: { detail: VisitDetail }) {
  return (
    <>
      <Section title="接待轨迹">
        {detail.board.length === 0 ? (
          <p className="kq-muted">没有接待记录</p>
        ) : (
          <ol className="kq-timeline">
            {detail.board.toReversed().map((row) => (
              <li key={`${row.at}${row.action}`}>
                <b>{boardActions.label(row.action)}</b> {row.fromName && <>{row.fromName} </>}
                {row.toName && <>→ {row.toName} </>}
                {row.waitSec !== null && <span className="kq-muted">等待 {spanText(row.waitSec)} </span>}
                {row.reason && <>：{row.reason}</>}
                <div className="kq-muted">
                  <Time at={row.at} />
                </div>
              </li>
            ))}
          </ol>
        )}
      </Section>
      <Section title="操作轨迹">
        <AuditTimeline rows={detail.timeline} machine={both} />
      </Section>
    </>
  );
}

const tabs = { info: InfoTab, videos: VideosTab, fee: FeeTab, rating: RatingTab, trail: TrailTab } as const;

/** What only reads, one tab at a time. */
export function DetailTab({ name, detail }: { name: keyof typeof tabs; detail: VisitDetail }) {
  const Content = tabs[name];
  return <Content detail={detail} />;
}
