// Mistakes that the tests of this service must find.
export default [];
