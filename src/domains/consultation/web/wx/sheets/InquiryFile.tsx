import { queryMyFileUrl } from '../../../contract/calls/participants.ts';
import { sendMine } from '../access.ts';
import { useAction } from '../useAction.ts';

/** A file that was handed in with the inquiry, opened in a page of its own. */
export function InquiryFile({ groupId, file }: { groupId: string; file: { fileId: string; fileName: string } }) {
  const { busy, fault, run } = useAction();
  const open = () => {
    // Opened by the click itself: a window that comes later would be blocked.
    const page = window.open('', '_blank');
    void run(async () => {
      const { url } = await sendMine(queryMyFileUrl, { groupId, fileId: file.fileId, use: 'PREVIEW' });
      if (page) page.location.href = url;
    }).then((done) => done || page?.close());
  };
  return (
    <>
      <button type="button" className="wx-chip" disabled={busy} onClick={open}>
        {file.fileName}
      </button>
      {fault && <span className="wx-fault">{fault}</span>}
    </>
  );
}
