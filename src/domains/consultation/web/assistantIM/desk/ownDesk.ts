import { tabs, useTabs } from '../../../../../kernel/web/tabs/store.ts';
import { titleBadge } from '../../../contract/im/limits.ts';
import { Desk } from './desk.ts';
import { held } from './holder.ts';

const PATH = '/assistantIM';
const TITLE = '医助工作台';
let desk: Desk | null = null;
let owner = '';

/** The desk of this browser tab: made with the page, ended when the page's tab is closed or somebody else signs in. */
export function ownDesk(userId: string): Desk {
  if (desk && owner === userId) return desk;
  desk?.close();
  const made = new Desk(async (runtime) => (await import('./openClient.ts')).openClient(runtime));
  desk = made;
  owner = userId;
  const title = made.store.subscribe(({ totalUnread }, before) => {
    // Also while another page is shown; the shell gives the window the title of the page that is shown.
    if (totalUnread !== before.totalUnread) tabs.patch(PATH, { title: `${titleBadge(totalUnread)}${TITLE}` });
  });
  const leaving = useTabs.subscribe(({ tabs: open }) => {
    if (!open.some(({ key }) => key === PATH)) made.close();
  });
  held.desk = {
    unsent: () => made.unsent(),
    leave: () => made.leave(),
    close: () => made.close(),
  };
  made.onClose = () => {
    title();
    leaving();
    if (desk === made) desk = null;
    if (held.desk && desk === null) held.desk = null;
  };
  void made.open();
  return made;
}
