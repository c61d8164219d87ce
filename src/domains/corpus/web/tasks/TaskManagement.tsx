import { lazy } from 'react';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { HumanTasks } from './HumanTasks.tsx';

const parts: readonly PagePart[] = [
  { key: 'tasks', label: '人工任务', content: HumanTasks },
  {
    key: 'campaigns',
    label: '群发任务',
    permission: may['corpus.view'],
    content: lazy(async () => ({ default: (await import('../campaigns/CampaignList.tsx')).CampaignList })),
  },
  {
    key: 'sends',
    label: '发送监控',
    permission: may['run.view'],
    content: lazy(async () => ({ default: (await import('../runs/SendList.tsx')).SendList })),
  },
];

/** /taskManagement: what people do for patients, and what the engine sends to them. */
export default function TaskManagement() {
  return <PageParts parts={parts} />;
}
