/** All that other domains may use of consultation on the server. */
export { postMessage, postMessages, type EngineMessage } from './services/post.ts';
export { ImError, imCodes } from '../contract/im/codes.ts';
export { openSingleChat } from './services/singleChat.ts';
export { findByClientMsgId, findPosted } from './im/messages/posting.ts';
export { getGroup, listOpenConversations, type OpenConversation } from './services/conversations.ts';
export { factCodes, factsFor } from './services/facts.ts';
export { humanMessages, type HumanMessage } from './services/messages.ts';
export { messageText } from './services/messages.ts';
export { openDeskGroup } from './desks/open.ts';
