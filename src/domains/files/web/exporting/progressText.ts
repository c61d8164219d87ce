import type { OutputOf } from '#kernel/contract/call.ts';
import type { queryExportTaskProgress } from '../../contract/calls/exports.ts';

type Progress = OutputOf<typeof queryExportTaskProgress>[number];

const grouped = (count: number) => count.toLocaleString('en-US');

/** `18秒`, `2分5秒` */
export const duration = (seconds: number): string => (seconds < 60 ? `${seconds}秒` : `${Math.floor(seconds / 60)}分${seconds % 60}秒`);

/** `生成中 62%，31,000/50,000，约剩18秒` or `排队中，前面还有2个`. */
export function progressText(progress: Omit<Progress, 'taskId'>): string {
  if (progress.state === 'QUEUED') {
    return progress.queuePosition ? `排队中，前面还有${progress.queuePosition}个` : '排队中，即将开始';
  }
  const counts = progress.rowsTotal === null ? '' : `，${grouped(progress.rowsDone)}/${grouped(progress.rowsTotal)}`;
  const left = progress.etaSeconds === null ? '' : `，约剩${duration(progress.etaSeconds)}`;
  return `生成中 ${Math.floor(progress.progressBp / 100)}%${counts}${left}`;
}
