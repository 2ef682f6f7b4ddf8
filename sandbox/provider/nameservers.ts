/** The provider's own, in the order it writes them. */
export const masterServer = 'ns1.hosting.example';
export const nameservers = [masterServer, 'ns2.hosting.example', 'ns3.hosting.example'];
