import { Button } from 'antd';
import { copyText } from '#kernel/web/feedback/copy.ts';

/** A link in full, with what copies it. */
export const CopyLink = ({ link }: { link: string }) => (
  <>
    <span style={{ overflowWrap: 'anywhere' }}>{link}</span>{' '}
    <Button size="small" onClick={() => void copyText(link, '已复制链接')}>
      复制链接
    </Button>
  </>
);
