import kafkajs, { type PartitionAssigner } from 'kafkajs';

// kafkajs is CommonJS and its index does not name everything statically.
const {
  AssignerProtocol: { MemberAssignment, MemberMetadata },
} = kafkajs;

/** An assigner that assigns exactly one partition to the group's one member. */
export function singlePartitionAssigner(topic: string, partition: number): PartitionAssigner {
  const name = 'BourseOwner';
  return () => ({
    name,
    version: 0,
    assign: ({ members }) =>
      Promise.resolve(
        members.slice(0, 1).map(({ memberId }) => ({
          memberId,
          memberAssignment: MemberAssignment.encode({
            version: 0,
            assignment: { [topic]: [partition] },
            userData: Buffer.alloc(0),
          }),
        })),
      ),
    protocol: ({ topics }) => ({
      name,
      metadata: MemberMetadata.encode({ version: 0, topics, userData: Buffer.alloc(0) }),
    }),
  });
}
