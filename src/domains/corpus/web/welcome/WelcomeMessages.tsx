import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { MessageList } from './MessageList.tsx';

const parts: readonly PagePart[] = [
  { key: 'welcome', label: '欢迎语', content: () => <MessageList kind="WELCOME" /> },
  { key: 'notice', label: '服务通知', content: () => <MessageList kind="NOTICE" /> },
];

/** /welcomeMessage: what patients are told of themselves, when they arrive and when something of theirs goes on. */
export default function WelcomeMessages() {
  return <PageParts parts={parts} />;
}
