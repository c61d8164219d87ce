import { useCommand } from '#kernel/web/http/queries.ts';
import { exportVisitRecordPdf } from '../../contract/calls/visits.ts';

/** Fetches a print: the address is good for one minute and saves the file. */
export function usePrint(): (serverId: string, content: 'record' | 'chat') => Promise<void> {
  const make = useCommand(exportVisitRecordPdf, { success: '已生成PDF，请在浏览器下载中查看' });
  return async (serverId, content) => {
    const answer = await make.run({ serverId, content });
    if (!answer) return;
    const link = document.createElement('a');
    link.href = answer.data.url;
    link.download = '';
    link.click();
  };
}
