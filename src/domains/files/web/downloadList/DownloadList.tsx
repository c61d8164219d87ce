import { Tabs } from 'antd';
import type { ComponentType } from 'react';
import { useList } from '#kernel/web/http/queries.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { PartLine } from '#kernel/web/kit/PartLine.tsx';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { Count } from '#kernel/web/kit/StepBar.tsx';
import { queryExportTaskList } from '../../contract/calls/exports.ts';
import { filePermissions } from '../../contract/permissions.ts';
import '../files.css';
import { AllTasks } from './AllTasks.tsx';
import { Files } from './Files.tsx';
import { ImportTasks } from './ImportTasks.tsx';
import { MyExports } from './MyExports.tsx';

interface Part {
  key: string;
  label: string;
  permission?: { code: string };
  content: ComponentType;
}

const parts: readonly Part[] = [
  { key: 'exports', label: '我的导出', content: MyExports },
  { key: 'imports', label: '导入任务', content: ImportTasks },
  { key: 'all', label: '全部任务', permission: filePermissions['task.viewAll'], content: AllTasks },
  { key: 'files', label: '文件', permission: filePermissions['object.manage'], content: Files },
];

/** /downloadList 下载中心. */
export default function DownloadList() {
  const may = useMay();
  const { path, search } = usePage();
  const { total: running } = useList(queryExportTaskList, { mine: true, state: ['QUEUED', 'RUNNING'], pageNo: 1, pageSize: 1 });
  const shown = parts.filter(({ permission }) => permission === undefined || may(permission));
  const active = shown.find(({ key }) => key === search['tab']) ?? shown[0]!;
  const Content = active.content;
  return (
    <div className="kq-parts">
      <PartLine
        tabs={
          <Tabs
            size="small"
            activeKey={active.key}
            items={shown.map(({ key, label }) => ({
              key,
              label:
                key === 'exports' ? (
                  <span title={running > 0 ? `${running}个任务进行中` : ''}>
                    {label}
                    <Count of={running} />
                  </span>
                ) : (
                  label
                ),
            }))}
            // Filters of one part mean nothing to the other.
            onChange={(key) => goTo(path, { tab: key === shown[0]!.key ? '' : key }, { replace: true })}
          />
        }
      >
        <div className="kq-part" key={active.key}>
          <Content />
        </div>
      </PartLine>
    </div>
  );
}
