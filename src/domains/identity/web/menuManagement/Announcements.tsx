import { Button } from 'antd';
import { lazy } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { publishNotice, queryNoticeList, revokeNotice, type Notice } from '../../contract/calls/notices.ts';
import { noticeStates } from '../../contract/states.ts';

const AnnouncementForm = lazy(async () => ({ default: (await import('./AnnouncementForm.tsx')).AnnouncementForm }));

const audienceText = ({ audience }: Notice): string => {
  if (audience.all) return '全部用户';
  const parts = [
    audience.roleCodes?.length ? `${audience.roleCodes.length}个角色` : '',
    audience.userIds?.length ? `${audience.userIds.length}名用户` : '',
    audience.permission ? `权限 ${audience.permission}` : '',
  ];
  return parts.filter(Boolean).join('、') || '无';
};

const notices = resource(queryNoticeList, {
  routeKey: 'menuManagement.notices',
  empty: '暂无系统公告，点击“新增公告”创建',
  filters: ['title', 'level', 'state'],
  columns: [
    { key: 'noticeNo', width: 160 },
    { key: 'title', width: 280, required: true },
    { key: 'level', width: 80 },
    { key: 'audience', value: audienceText },
    'publishAt',
    'expireAt',
    { key: 'state', width: 90 },
    { key: 'readCount', width: 90 },
    { key: 'createdByName', width: 110 },
    'createdAt',
  ],
});

/** Announcements alone; to-dos, alerts and results belong to their domains. */
const fixed = { kind: 'ANNOUNCE' } as const;

/** Tab 系统公告. */
export function Announcements() {
  const layers = useLayers();
  const edit = (notice: Notice | null) => layers.open((close) => <AnnouncementForm notice={notice} onClose={close} />);
  const publish = useCommand(publishNotice, { success: '发布成功!', refreshes: [queryNoticeList] });
  const revoke = useCommand(revokeNotice, { success: '撤回成功!', refreshes: [queryNoticeList] });
  const facts = (notice: Notice) => [
    ...factsIn(queryNoticeList.output, notice, ['noticeNo', 'title', 'level', 'publishAt']),
    { label: '接收范围', value: audienceText(notice) },
  ];
  return (
    <>
      <ResourceList
        of={notices}
        fixed={fixed}
        toolbar={
          <Button type="primary" onClick={() => edit(null)}>
            新增公告
          </Button>
        }
        actions={[
          { label: '编辑', when: (notice) => notice.state === 'DRAFT', act: edit },
          { label: '查看', when: (notice) => notice.state !== 'DRAFT', act: edit },
          {
            label: '发布',
            when: (notice) => noticeStates.canStart('publish', notice.state),
            act: async (notice) => {
              if (
                await ask({
                  title: '发布公告',
                  content: `“${notice.title}”将发送给${audienceText(notice)}，确定发布吗?`,
                  facts: facts(notice),
                })
              )
                await publish.run({ id: notice.id, version: notice.version });
            },
          },
          {
            label: '撤回',
            danger: true,
            when: (notice) => noticeStates.canStart('revoke', notice.state),
            act: async (notice) => {
              const opinion = await confirmWithOpinion({
                title: '撤回公告',
                content: `撤回后用户不再看到“${notice.title}”。`,
                facts: facts(notice),
                danger: true,
              });
              if (opinion !== null) await revoke.run({ id: notice.id, version: notice.version, opinion });
            },
          },
        ]}
      />
      {layers.shown}
    </>
  );
}
