// Mistakes that the tests of complaints must find.
const file = 'services/notices/src/domain/complaint.ts';
const test = 'services/notices/src/domain/complaint.unit.test.ts';

export const PLANTED = [
  {
    id: 'complaints-01',
    what: 'a reply reopens a closed complaint after the time limit',
    breaks: 'COMPLAINT-001',
    file,
    find: 'now - (closedAt ?? 0) > reopenMs',
    replace: 'now - (closedAt ?? 0) > reopenMs + 1',
    test,
    name: 'opens again by a reply within the days, to the last millisecond',
  },
  {
    id: 'complaints-02',
    what: 'the number of messages of a complaint has no limit',
    breaks: 'COMPLAINT-001',
    file,
    find: '  if (length >= messagesMax) return CLOSED;\n',
    replace: '',
    test,
    name: 'does not grow without end',
  },
  {
    id: 'complaints-03',
    what: 'support answers a closed complaint',
    breaks: 'COMPLAINT-002',
    file,
    find: "  if (complaint.state === 'closed') return CLOSED;\n  const { unread",
    replace: '  const { unread',
    test,
    name: 'is closed once, and answered no more',
  },
  {
    id: 'complaints-04',
    what: 'a second answer is not counted as unread',
    breaks: 'COMPLAINT-002',
    file,
    find: 'unread: unread + 1',
    replace: 'unread: 1',
    test,
    name: 'waits for support after a reply and for the person after an answer',
  },
  {
    id: 'complaints-05',
    what: 'a reopened complaint keeps its closing time',
    breaks: 'COMPLAINT-003',
    file,
    find: "state: 'open', closedAt: null, updatedAt",
    replace: "state: 'open', updatedAt",
    test,
    name: 'is closed exactly while it has a time of its end, whatever happens to it',
  },
];
